-- What running totals sum up to is not bounded: about 1,025 orders at the largest amount of one order exceed a bigint. Single amounts stay
-- bigint. Each statement rewrites its table, under a lock: about a second for each million rows. The version before reads and writes these
-- columns unchanged, for a sum of bigint is numeric to it already.
alter table link_days
  alter column eligible_cents type numeric(38, 0),
  alter column commission_cents type numeric(38, 0);
alter table store_days
  alter column eligible_cents type numeric(38, 0),
  alter column commission_cents type numeric(38, 0);
alter table balances
  alter column debit_cents type numeric(38, 0),
  alter column credit_cents type numeric(38, 0);
alter table creator_balances
  alter column debit_cents type numeric(38, 0),
  alter column credit_cents type numeric(38, 0);

-- What the platform keeps back from payouts, the reserve period of new stores, and the operators' risk cases.

-- Null in a column: the default of the mode, see src/holds/settings.ts.
create table risk_settings (
  singleton boolean primary key check (singleton),
  enforce boolean,
  reserve_days int check (reserve_days between 0 and 365),
  reserve_until_invoices int check (reserve_until_invoices between 1 and 100),
  large_first_payout_cents bigint check (large_first_payout_cents > 0),
  orders_per_hour_min int check (orders_per_hour_min > 0),
  order_size_min_cents bigint check (order_size_min_cents > 0),
  changed_at timestamptz not null
);

-- The first successful charge of a store starts its reserve period.
create table store_reserves (
  store_id uuid primary key,
  first_charged_at timestamptz not null,
  paid_invoices int not null check (paid_invoices >= 0),
  -- An operator ended the period early.
  released_at timestamptz
);
insert into store_reserves (store_id, first_charged_at, paid_invoices)
  select store_id, min(ended_at), count(*) from charges where state = 'succeeded' group by store_id;

-- Keeps back one invoice, one creator's commissions, or everything of a store, until it is released.
create table payout_holds (
  store_id uuid not null,
  hold_id uuid not null,
  case_id uuid not null,
  invoice_id uuid,
  creator_id uuid,
  -- Also keeps the commissions out of invoices.
  blocks_billing boolean not null default false,
  began_at timestamptz not null,
  released_at timestamptz,
  primary key (store_id, hold_id),
  check (invoice_id is null or creator_id is null),
  check (not blocks_billing or creator_id is not null)
);
create index payout_holds_active on payout_holds (store_id, creator_id) where released_at is null;

-- Keeps back all payouts of a creator.
create table creator_holds (
  creator_id uuid not null,
  hold_id uuid not null,
  case_id uuid not null,
  began_at timestamptz not null,
  released_at timestamptz,
  primary key (creator_id, hold_id)
);
create index creator_holds_active on creator_holds (creator_id) where released_at is null;

-- What a payment provider reported of a charge: a dispute, a fraud warning, or a refund that we did not make.
create table charge_warnings (
  store_id uuid not null,
  charge_id uuid not null,
  kind text not null check (kind in ('dispute', 'fraud_warning', 'refund')),
  invoice_id uuid not null,
  state text not null check (state in ('open', 'won', 'lost', 'released')),
  case_id uuid,
  why text not null,
  amount_cents bigint,
  first_reported_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (store_id, charge_id, kind)
);

-- The operators' list, small and not spread. A subject has at most one open case of a rule.
create table risk_cases (
  case_id uuid primary key,
  rule text not null,
  subject text not null,
  store_id uuid,
  creator_id uuid,
  invoice_id uuid,
  charge_id uuid,
  state text not null check (state in ('open', 'released', 'escalated')),
  -- False: the rule would hold, and the settings say only to show it.
  is_enforced boolean not null,
  evidence jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The commissions that the case held are released, too.
  unheld_at timestamptz,
  -- When the operators were told by mail.
  mailed_at timestamptz,
  check ((state = 'open') = (closed_at is null))
);
create unique index risk_cases_open on risk_cases (rule, subject) where state = 'open';
create index risk_cases_by_state on risk_cases (state, case_id);
create index risk_cases_of_subject on risk_cases (rule, subject, case_id);
create index risk_cases_unmailed on risk_cases (case_id) where mailed_at is null;

create table risk_case_events (
  case_id uuid not null references risk_cases,
  event_id uuid not null,
  action text not null check (action in ('opened', 'enforced', 'evidence', 'kept', 'released', 'escalated')),
  reason text,
  by_actor text not null,
  by_name text not null,
  details jsonb not null,
  at timestamptz not null,
  primary key (case_id, event_id)
);

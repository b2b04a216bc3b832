-- The way of a commission from its bill to its creator: the second book, and what crosses from one to the other.

-- A fact of the store's book may also be a part of an invoice, and a card dispute that was lost.
alter table transfers drop constraint transfers_source_kind_check;
alter table transfers add constraint transfers_source_kind_check check (source_kind in
  ('order', 'billing_event', 'reversal', 'decision', 'invoice', 'charge', 'dispute', 'payout', 'credit_note'));

-- The operator stands in for the store: its invoice was charged back when this one was in a payout already.
alter table commissions add column advanced_at timestamptz,
  add check (advanced_at is null or (state in ('collected', 'paid') and payout_id is not null));
-- What a bill is gathered from, and nothing else: small, whatever the store has behind it.
create index commissions_billable on commissions (store_id, commission_id)
  where state = 'approved' and held_reason is null and amount_cents > 0;
create index commissions_of_invoice on commissions (store_id, invoice_id, commission_id) where invoice_id is not null;
create index commissions_of_payout on commissions (store_id, payout_id, commission_id) where payout_id is not null;

-- What a store has to tell a creator's book, written where it happens and delivered once: the row is the proof of delivery's other side.
create table creator_outbox (
  store_id uuid not null,
  entry_id uuid not null,
  creator_id uuid not null,
  commission_id uuid not null,
  kind text not null check (kind in ('collected', 'charged_back', 'credited', 'advanced', 'repaid', 'advance_ended')),
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  delivered_at timestamptz,
  primary key (store_id, entry_id)
);
create index creator_outbox_waiting on creator_outbox (store_id, entry_id) where delivered_at is null;
create index creator_outbox_of_commission on creator_outbox (store_id, commission_id, entry_id);

-- The creator's book, of the same shape as the store's: one row is one transfer, and is never changed.
create table creator_transfers (
  creator_id uuid not null,
  source_kind text not null check (source_kind in ('entry', 'payout', 'payout_end')),
  source_id uuid not null,
  store_id uuid not null,
  debit text not null check (debit in ('from_stores', 'available', 'in_payout', 'paid', 'advance')),
  credit text not null check (credit in ('from_stores', 'available', 'in_payout', 'paid', 'advance')),
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  primary key (creator_id, source_id, store_id, debit, credit),
  check (debit <> credit)
);
create index creator_transfers_by_time on creator_transfers (creator_id, at);

create table creator_balances (
  creator_id uuid not null,
  account text not null,
  store_id uuid not null,
  debit_cents bigint not null,
  credit_cents bigint not null,
  primary key (creator_id, account, store_id)
);

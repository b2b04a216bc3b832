-- Leads: sign-ups, trials, and booked calls. Each opens a commission, like an order; it is 0 if the terms pay nothing for its kind.
alter table terms add column lead_rules jsonb not null default '[]';

create table leads (
  store_id uuid not null,
  lead_hash bytea not null,
  content_hash bytea not null,
  -- Our own ID; the merchant's is the text.
  lead_id uuid not null,
  merchant_lead_id text not null,
  commission_id uuid not null,
  kind text not null,
  -- Null: a code or the customer earned. `attribution` is what was compared; null if there was only a click.
  click_id uuid,
  program_id uuid not null,
  creator_id uuid not null,
  link_number bigint not null,
  attribution jsonb,
  -- The month of a lead that was paid under a monthly limit, and its number among them.
  paid_month date,
  paid_number int check (paid_number >= 1),
  -- The monthly limit by which the lead earned nothing.
  exceeded_limit int,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  customer_id text,
  discount_code text,
  metadata text,
  primary key (store_id, lead_hash),
  check ((paid_month is null) = (paid_number is null))
);
create index leads_by_id on leads (store_id, lead_id);
create index leads_of_customer on leads (store_id, left(customer_id, 100)) where customer_id is not null;
-- Decides between processes, so that no limit is exceeded.
create unique index leads_paid_in_month on leads (store_id, program_id, creator_id, kind, paid_month, paid_number)
  where paid_number is not null;

create table lead_reversals (
  store_id uuid not null,
  lead_hash bytea not null,
  content_hash bytea not null,
  reversal_id uuid not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  reason text,
  primary key (store_id, lead_hash)
);
create index lead_reversals_by_id on lead_reversals (store_id, reversal_id);

-- Reversals of leads that are not reported yet, so that the lead is put on hold if it still arrives.
create table early_lead_reversals (
  store_id uuid not null,
  lead_hash bytea not null,
  first_seen_at timestamptz not null,
  primary key (store_id, lead_hash)
);

-- A lead has no eligible amount.
alter table commissions drop constraint commissions_source_kind_check;
alter table commissions add constraint commissions_source_kind_check check (source_kind in ('order', 'invoice', 'lead'));
alter table commissions drop constraint commissions_check;
alter table commissions add constraint commissions_within_eligible check (amount_cents <= eligible_cents or source_kind = 'lead');

alter table transfers drop constraint transfers_source_kind_check;
alter table transfers add constraint transfers_source_kind_check check (source_kind in
  ('order', 'billing_event', 'lead', 'reversal', 'refund', 'decision', 'invoice', 'charge', 'dispute', 'payout', 'credit_note'));

alter table refused_orders drop constraint refused_orders_operation_check;
alter table refused_orders add constraint refused_orders_operation_check check (operation in ('conversion', 'relationship', 'lead'));

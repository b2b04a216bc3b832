-- Commissions without an order: a bonus that the merchant adds by hand.
create table bonuses (
  store_id uuid not null,
  bonus_id uuid not null,
  commission_id uuid not null,
  program_id uuid not null,
  member_id uuid not null,
  creator_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  -- The merchant's ID of an order that the bonus is about. The order may be unknown here.
  order_id text,
  -- `user_…` or `key_…`, and the name as it was then.
  added_by text not null,
  added_by_name text not null,
  added_at timestamptz not null,
  primary key (store_id, bonus_id),
  unique (store_id, commission_id)
);
create index bonuses_of_creator on bonuses (store_id, creator_id, bonus_id);

-- The link under which reports count the bonuses of a member. Created with the first bonus.
alter table members add column bonus_link bigint;

-- A bonus is earned on no amount, so that `eligible_cents` is 0.
alter table commissions drop constraint commissions_source_kind_check;
alter table commissions add constraint commissions_source_kind_check check (source_kind in ('order', 'invoice', 'lead', 'bonus'));
alter table commissions drop constraint commissions_within_eligible;
alter table commissions add constraint commissions_within_eligible check
  (amount_cents <= eligible_cents or source_kind in ('lead', 'bonus'));

alter table transfers drop constraint transfers_source_kind_check;
alter table transfers add constraint transfers_source_kind_check check (source_kind in
  ('order', 'billing_event', 'reversal', 'refund', 'decision', 'invoice', 'charge', 'dispute', 'payout', 'credit_note', 'lead', 'bonus'));

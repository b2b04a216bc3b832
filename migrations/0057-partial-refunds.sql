-- Partial refunds of orders and of subscription invoices. One space of refund IDs per store; a refund is found by the hash of its ID.
create table refunds (
  store_id uuid not null,
  refund_hash bytea not null,
  -- Our own ID; the merchant's is the text.
  refund_id uuid not null,
  merchant_refund_id text not null,
  operation text not null check (operation in ('order_refund', 'invoice_refund')),
  content_hash bytea not null,
  -- The order's transaction_id, or the relationship_invoice_id.
  source_id uuid not null,
  -- Null if the invoice has none.
  commission_id uuid,
  -- The refunded part of the eligible amount, and what was left of it afterwards.
  amount_cents bigint not null check (amount_cents > 0),
  remaining_cents bigint not null check (remaining_cents >= 0),
  -- What it took from each part of `commissions.earned`: `[{ "part": 0, "amount_cents": 1000, "quantity": 0 }]`.
  parts jsonb not null,
  -- By how much the commission fell.
  commission_cents bigint not null check (commission_cents >= 0),
  -- `reversed`: it took what was left of the commission. `none`: there was no commission, or nothing left of it.
  effect text not null check (effect in ('reduced', 'reversed', 'none')),
  -- The credit note of a commission that was already invoiced.
  credit_note_id uuid,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  reason text,
  primary key (store_id, refund_hash),
  check (effect <> 'none' or commission_cents = 0),
  check (effect = 'none' or commission_id is not null)
);
create index refunds_of_source on refunds (store_id, source_id, refund_id);
create index refunds_by_id on refunds (store_id, refund_id);

-- `eligible_cents` and `earned` stay what was recorded. `amount_cents` is what the commission is worth after the refunds.
alter table commissions
  add column refunded_cents bigint not null default 0,
  add column refunded_commission_cents bigint not null default 0,
  add column earned_after_refunds jsonb,
  add check (refunded_cents between 0 and eligible_cents and refunded_commission_cents >= 0
    and (refunded_cents > 0) = (earned_after_refunds is not null));

alter table transfers drop constraint transfers_source_kind_check;
alter table transfers add constraint transfers_source_kind_check check (source_kind in
  ('order', 'billing_event', 'reversal', 'refund', 'decision', 'invoice', 'charge', 'dispute', 'payout', 'credit_note'));

-- `refunded`: a part of a collected commission was refunded.
alter table creator_outbox drop constraint creator_outbox_kind_check;
alter table creator_outbox add constraint creator_outbox_kind_check check (kind in
  ('collected', 'charged_back', 'credited', 'refunded', 'advanced', 'repaid', 'advance_ended'));
alter table creator_entries drop constraint creator_entries_kind_check;
alter table creator_entries add constraint creator_entries_kind_check check (kind in
  ('collected', 'charged_back', 'credited', 'refunded', 'advanced', 'repaid', 'advance_ended'));

-- Each refund credits its own part of a line; an operator credits a line once.
alter table credit_note_lines add column refund_id uuid;
alter table credit_note_lines drop constraint credit_note_lines_pkey;
alter table credit_note_lines add primary key (store_id, commission_id, credit_note_id);
create unique index credit_note_lines_by_operator on credit_note_lines (store_id, commission_id) where refund_id is null;

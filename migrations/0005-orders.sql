-- The ledger, commissions, one-time orders, and the log of postbacks.

-- One row is one transfer: it balances by construction, and is never changed. A fact moves money between two accounts once.
create table transfers (
  store_id uuid not null,
  source_kind text not null check (
    source_kind in ('order', 'billing_event', 'reversal', 'decision', 'invoice', 'charge', 'payout', 'credit_note')),
  source_id uuid not null,
  debit text not null,
  credit text not null,
  amount_cents bigint not null check (amount_cents > 0),
  creator_id uuid not null,
  at timestamptz not null,
  primary key (store_id, source_id, creator_id, debit, credit),
  check (debit <> credit)
);
create index transfers_by_time on transfers (store_id, at);

-- What the transfers sum up to, by account and creator: a cache, in slots like the daily figures, that verify recomputes.
create table balances (
  store_id uuid not null,
  account text not null,
  creator_id uuid not null,
  slot smallint not null,
  debit_cents bigint not null,
  credit_cents bigint not null,
  primary key (store_id, account, creator_id, slot)
);

-- A union of states: which columns a state has is checked, so that a wrong one cannot be written.
create table commissions (
  store_id uuid not null,
  commission_id uuid not null,
  state text not null check (state in ('pending', 'approved', 'billed', 'collected', 'paid', 'rejected', 'reversed')),
  held_reason text check (held_reason in ('dispute', 'fraud_review', 'early_reversal', 'creator_suspended', 'merchant_request')),
  held_by text,
  held_since timestamptz,
  program_id uuid not null,
  creator_id uuid not null,
  link_number bigint not null,
  -- What opened it: an order, or an invoice of a subscription.
  source_kind text not null check (source_kind in ('order', 'invoice')),
  source_id uuid not null,
  -- The merchant's own id of it, for lists and look-ups; the order's name likewise.
  source_text text not null,
  eligible_cents bigint not null check (eligible_cents >= 0),
  amount_cents bigint not null check (amount_cents >= 0),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The terms, copied: nothing looks today's terms up for yesterday's order. Version 0: there were none.
  terms_version int not null,
  attribution_days int not null,
  hold_days int not null,
  hold_until timestamptz not null,
  auto_approve_at timestamptz,
  -- The rates that were applied and what they were applied to, for explaining.
  earned jsonb not null,
  approved_at timestamptz,
  rejected_at timestamptz,
  rejected_reason text,
  rejected_note text,
  reversed_at timestamptz,
  reversal_reason text,
  invoice_id uuid,
  payout_id uuid,
  primary key (store_id, commission_id),
  check (amount_cents <= eligible_cents),
  check ((held_reason is null) = (held_since is null) and (held_reason is null) = (held_by is null)),
  check ((state = 'rejected') = (rejected_at is not null)),
  check ((state = 'reversed') = (reversed_at is not null)),
  check (state not in ('approved', 'billed', 'collected', 'paid') or approved_at is not null),
  check (state not in ('billed', 'collected', 'paid') or (invoice_id is not null and amount_cents > 0)),
  check (state <> 'paid' or payout_id is not null)
);
create index commissions_by_time on commissions (store_id, occurred_at, commission_id);
create index commissions_of_creator on commissions (store_id, creator_id, occurred_at, commission_id);
create index commissions_of_source on commissions (store_id, source_kind, source_id);

-- One click backs one order, for ever: this key is the arbiter between processes.
create table click_claims (
  store_id uuid not null,
  click_id uuid not null,
  order_hash bytea not null,
  primary key (store_id, click_id)
);

-- An id of up to 500 characters is found by its hash: an index entry must stay small.
create table orders (
  store_id uuid not null,
  order_hash bytea not null,
  order_id text not null,
  transaction_id uuid not null,
  commission_id uuid not null,
  content_hash bytea not null,
  click_id uuid not null,
  link_number bigint not null,
  program_id uuid not null,
  creator_id uuid not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  eligible_cents bigint not null check (eligible_cents between 0 and subtotal_cents),
  order_name text,
  customer_id text,
  discount_code text,
  -- JSON as text: a database type for JSON refuses numbers that a merchant may well send.
  line_items text,
  metadata text,
  primary key (store_id, order_hash)
);

create table order_reversals (
  store_id uuid not null,
  order_hash bytea not null,
  reversal_id uuid not null,
  content_hash bytea not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  reason text,
  primary key (store_id, order_hash)
);

-- A reversal of an order that nobody reported yet: if the order still comes, it is held.
create table early_reversals (
  store_id uuid not null,
  order_hash bytea not null,
  first_seen_at timestamptz not null,
  primary key (store_id, order_hash)
);

-- Orders of the verification flow: never money, never a figure. The first answer's id is kept for their reversals.
create table test_orders (
  store_id uuid not null,
  order_hash bytea not null,
  order_id text not null,
  transaction_id uuid not null,
  recorded_at timestamptz not null,
  primary key (store_id, order_hash)
);

create table test_links (
  store_id uuid not null,
  test_link_id uuid not null,
  -- The click that the link carries; its time is when the link was made.
  click_id uuid not null,
  url text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (store_id, test_link_id),
  unique (store_id, click_id)
);

-- Every authenticated postback with its answer. The body goes after ninety days, the line stays.
create table postback_log (
  store_id uuid not null,
  postback_id uuid not null,
  at timestamptz not null,
  operation text not null,
  status smallint not null,
  reason text not null,
  -- The merchant's id of what it is about (order, event), shortened for the index; the whole one is in the body.
  subject text,
  is_test boolean not null,
  is_replay boolean not null,
  request_id text not null,
  postback_key_id uuid not null,
  latency_us int not null,
  why jsonb not null,
  warnings jsonb not null,
  reply jsonb not null,
  body bytea,
  primary key (store_id, postback_id)
);
create index postback_log_by_reason on postback_log (store_id, reason, postback_id);
create index postback_log_by_subject on postback_log (store_id, subject text_pattern_ops, postback_id);

-- Requests that proved no key: counted by day and kind, not kept.
create table door_refusals (
  day date not null,
  reason text not null,
  slot smallint not null,
  count bigint not null,
  primary key (day, reason, slot)
);

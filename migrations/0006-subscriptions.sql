-- Subscriptions: their events, the relationships that are bound to a click, and the invoices of these.

-- One event id is one event across the four recurring operations, for ever: this key is the arbiter between processes.
-- Accepted ones are kept to be answered again, refused ones because they are burned.
create table subscription_events (
  store_id uuid not null,
  event_hash bytea not null,
  event_id text not null,
  operation text not null check (operation in ('relationship', 'billing_event', 'invoice_reversal', 'relationship_end')),
  content_hash bytea not null,
  received_at timestamptz not null,
  -- What was answered. `recorded` and `no_matching_subscription_rule` were accepted; anything else burned the event.
  reason text not null,
  -- The identifiers that an accepted one was answered with: the record of this event, or of the first bind that it repeats.
  recorded_event_id uuid,
  binding_id uuid,
  commission_id uuid,
  primary key (store_id, event_hash),
  check ((reason = 'recorded') = (recorded_event_id is not null)),
  check (reason <> 'no_matching_subscription_rule' or binding_id is not null)
);

-- A union: a live relationship has whom it pays and perhaps a rule, a test one has neither; `ended` and `held` have their own fields.
create table relationships (
  store_id uuid not null,
  relationship_hash bytea not null,
  relationship_id text not null,
  binding_id uuid not null,
  bind_event_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  click_id uuid not null,
  link_number bigint,
  program_id uuid,
  creator_id uuid,
  -- As it was bound first: what another bind is compared with.
  first_product_id text not null,
  first_price_id text,
  -- What bills are compared with: a review that accepts a change moves it.
  product_id text not null,
  price_id text,
  bound_at timestamptz not null,
  recorded_at timestamptz not null,
  -- The rule that was in force then, copied with its terms. Without one nothing is earned, for good.
  basis_points int check (basis_points between 0 and 10000),
  flat_cents bigint check (flat_cents >= 0),
  max_invoices int,
  max_months int,
  terms_version int,
  attribution_days int,
  hold_days int,
  auto_approve_days int,
  -- How many were paid, and how many of these opened a commission above 0 (a reversed one keeps its place).
  paid_invoices int not null check (paid_invoices >= 0),
  earning_invoices int not null check (earning_invoices between 0 and paid_invoices),
  state text not null check (state in ('active', 'ended')),
  ended_recorded_at timestamptz,
  -- Only where the end carried a time of its own.
  end_occurred_at timestamptz,
  end_reason text,
  held_reason text check (held_reason in ('product_mismatch', 'price_mismatch')),
  held_since timestamptz,
  -- What was billed instead: accepted, it is what is bound.
  held_product_id text,
  held_price_id text,
  primary key (store_id, relationship_hash),
  check ((environment = 'live') = (link_number is not null and program_id is not null and creator_id is not null)),
  check (environment = 'live' or (terms_version is null and held_reason is null)),
  check ((terms_version is null) = (basis_points is null and flat_cents is null)),
  check (basis_points is null or flat_cents is null),
  check ((terms_version is null) = (attribution_days is null) and (terms_version is null) = (hold_days is null)),
  check (terms_version is not null or (max_invoices is null and max_months is null and auto_approve_days is null and earning_invoices = 0)),
  check ((state = 'ended') = (ended_recorded_at is not null)),
  check (state = 'ended' or (end_occurred_at is null and end_reason is null)),
  check ((held_reason is null) = (held_since is null) and (held_reason is null) = (held_product_id is null)),
  check (held_reason is not null or held_price_id is null)
);
create index relationships_by_binding on relationships (store_id, binding_id);
create index relationships_of_creator on relationships (store_id, creator_id, binding_id);
-- An index entry must stay small, so that only the beginning of the merchant's id is in it.
create index relationships_by_beginning on relationships (store_id, left(relationship_id, 100) text_pattern_ops, binding_id);
create index relationships_held on relationships (store_id, binding_id) where held_reason is not null;

-- An invoice belongs to its relationship: two of them may use one invoice_id. Who changes one holds the relationship's row.
create table relationship_invoices (
  store_id uuid not null,
  binding_id uuid not null,
  invoice_hash bytea not null,
  invoice_id text not null,
  relationship_invoice_id uuid not null,
  -- The last that was told before it was paid; then `paid`, for good.
  state text not null check (state in ('paid', 'failed', 'open', 'void', 'uncollectible')),
  first_recorded_at timestamptz not null,
  reported_after_end boolean not null,
  -- The payment: the first event that said `paid`, and its place among the payments of the relationship.
  paid_number int,
  paid_event_id uuid,
  paid_at timestamptz,
  paid_recorded_at timestamptz,
  amount_paid_cents bigint check (amount_paid_cents >= 0),
  eligible_cents bigint check (eligible_cents between 0 and amount_paid_cents),
  product_id text,
  price_id text,
  earns text check (earns in ('commission', 'waits', 'nothing')),
  commission_id uuid,
  nothing_because text check (nothing_because in
    ('test', 'zero_commission', 'month_limit', 'invoice_limit', 'reversed_before', 'declined')),
  -- What the decision about its payment compared, for explaining.
  why jsonb,
  reversed_at timestamptz,
  reversal_event_id uuid,
  reversal_reason text,
  primary key (store_id, binding_id, invoice_hash),
  check ((state = 'paid') = (paid_number is not null)),
  check ((state = 'paid') = (paid_event_id is not null) and (state = 'paid') = (paid_at is not null)),
  check ((state = 'paid') = (paid_recorded_at is not null) and (state = 'paid') = (amount_paid_cents is not null)),
  check ((state = 'paid') = (eligible_cents is not null) and (state = 'paid') = (product_id is not null)),
  check ((state = 'paid') = (earns is not null) and (state = 'paid') = (why is not null)),
  check ((earns is not distinct from 'commission') = (commission_id is not null)),
  check ((earns is not distinct from 'nothing') = (nothing_because is not null)),
  check ((reversed_at is null) = (reversal_event_id is null) and (reversed_at is not null or reversal_reason is null)),
  check (earns is distinct from 'waits' or reversed_at is null)
);
create index invoices_by_time on relationship_invoices (store_id, binding_id, relationship_invoice_id);
create index invoices_waiting on relationship_invoices (store_id, binding_id, paid_number) where earns = 'waits';

-- A reversal of an invoice that nobody reported yet: if it still comes and is paid, its commission is opened held.
create table early_invoice_reversals (
  store_id uuid not null,
  binding_id uuid not null,
  invoice_hash bytea not null,
  first_seen_at timestamptz not null,
  primary key (store_id, binding_id, invoice_hash)
);

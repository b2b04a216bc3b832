-- Stores that let the service read signed events of their Stripe account, instead of sending reports from a server of their own.
create table stripe_connections (
  store_id uuid primary key references stores,
  -- Names the connection in the tracking log, in place of a postback key.
  postback_key_id uuid not null,
  signing_secret_sealed bytea not null,
  signing_secret_last4 text not null,
  -- Also accepted until then, while a secret is rotated. Real time, as all times here.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  -- Null: only what the events themselves contain is used.
  api_key_sealed bytea,
  api_key_last4 text,
  connected_at timestamptz not null,
  -- The last request whose signature was wrong, at most one in a minute.
  rejected_at timestamptz,
  rejected_why text,
  check ((previous_secret_sealed is null) = (previous_secret_until is null)),
  check ((api_key_sealed is null) = (api_key_last4 is null))
);

create table stripe_events (
  store_id uuid not null,
  stripe_event_id uuid not null,
  -- Stripe's own IDs.
  event_name text not null,
  object_name text,
  type text not null,
  created_at timestamptz not null,
  received_at timestamptz not null,
  -- The bytes that Stripe signed. Deleted once the event is processed, because they name the customer.
  body bytea,
  state text not null check (state in ('waiting', 'done', 'ignored', 'failed')),
  reason text,
  message text,
  attempts int not null,
  -- While an attempt is under way it is the end of its lease.
  try_at timestamptz not null,
  ended_at timestamptz,
  primary key (store_id, stripe_event_id),
  check ((state = 'waiting') = (ended_at is null))
);
-- Stripe delivers an event at least once.
create unique index stripe_event_once on stripe_events (store_id, event_name);
create index stripe_events_due on stripe_events (store_id, try_at) where state = 'waiting';
create index stripe_events_by_state on stripe_events (store_id, state, stripe_event_id);

-- What paid Checkout Sessions said, for refunds and invoices that name only the payment or the subscription.
create table stripe_sessions (
  store_id uuid not null,
  session_name text not null,
  payment_name text,
  subscription_name text,
  click_id text,
  is_referred boolean not null,
  total_cents bigint not null,
  eligible_cents bigint not null,
  created_at timestamptz not null,
  primary key (store_id, session_name)
);
create index stripe_sessions_by_payment on stripe_sessions (store_id, payment_name) where payment_name is not null;
create index stripe_sessions_by_subscription on stripe_sessions (store_id, subscription_name) where subscription_name is not null;

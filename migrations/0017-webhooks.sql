-- What a store's own programs are told: events by the Standard Webhooks form, to addresses that the store names.

-- The stores that somebody listens to. Where there is no row, nothing is written for anybody.
create table event_listeners (
  store_id uuid primary key references stores
);

-- What happened in a store that is listened to, written where it happens; gone as soon as it is a webhook's event.
create table store_events (
  store_id uuid not null,
  event_id uuid not null,
  type text not null,
  subject_id uuid not null,
  at timestamptz not null,
  detail jsonb not null,
  primary key (store_id, event_id)
);

create table webhook_endpoints (
  store_id uuid not null references stores,
  webhook_endpoint_id uuid not null,
  url text not null,
  description text,
  events text[] not null check (cardinality(events) > 0),
  created_at timestamptz not null,
  -- It is told what happens from then on: since it was made, was switched on, or chose other events.
  listens_from timestamptz not null,
  -- The first failure since it last took something, by real time. Null: it works, as far as is known.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_why text check (disabled_why in ('by_hand', 'failing', 'gone')),
  deleted_at timestamptz,
  primary key (store_id, webhook_endpoint_id),
  check ((disabled_at is null) = (disabled_why is null))
);

-- Two of an endpoint are valid while one takes the other's place. Sealed, because they are signed with; times are real.
create table webhook_secrets (
  store_id uuid not null,
  webhook_secret_id uuid not null,
  webhook_endpoint_id uuid not null,
  secret_sealed bytea not null,
  created_at timestamptz not null,
  ends_at timestamptz,
  primary key (store_id, webhook_secret_id),
  foreign key (store_id, webhook_endpoint_id) references webhook_endpoints
);
create index webhook_secrets_of_endpoint on webhook_secrets (store_id, webhook_endpoint_id, webhook_secret_id);

-- One event with its body, the same bytes for every endpoint and at every attempt.
create table webhook_events (
  store_id uuid not null,
  webhook_event_id uuid not null,
  type text not null,
  subject_id uuid not null,
  at timestamptz not null,
  body text not null,
  primary key (store_id, webhook_event_id)
);
-- What is looked for is found again at the next look: it is an event once.
create unique index webhook_event_once on webhook_events (store_id, subject_id, type, at);

create table webhook_deliveries (
  store_id uuid not null,
  webhook_delivery_id uuid not null,
  webhook_endpoint_id uuid not null,
  webhook_event_id uuid not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  -- All attempts ever made, and those since it was last asked for.
  attempts int not null,
  tries int not null,
  -- Real time. While an attempt is under way it is the end of its lease.
  try_at timestamptz not null,
  ended_at timestamptz,
  primary key (store_id, webhook_delivery_id),
  foreign key (store_id, webhook_endpoint_id) references webhook_endpoints,
  check ((state = 'waiting') = (ended_at is null))
);
create unique index webhook_delivery_once on webhook_deliveries (store_id, webhook_event_id, webhook_endpoint_id);
create index webhook_deliveries_waiting on webhook_deliveries (store_id, webhook_endpoint_id, try_at) where state = 'waiting';
create index webhook_deliveries_of_endpoint on webhook_deliveries (store_id, webhook_endpoint_id, webhook_delivery_id);

create table webhook_attempts (
  store_id uuid not null,
  webhook_delivery_id uuid not null,
  number int not null,
  at timestamptz not null,
  took_ms int not null,
  status int,
  -- In place of an answer: why there was none.
  fault text,
  answer text,
  primary key (store_id, webhook_delivery_id, number),
  check ((status is null) = (fault is not null))
);

-- From where on new commissions are looked for. See src/webhooks/gather.ts for why there are two moments.
create table webhook_marks (
  store_id uuid primary key references stores,
  read_from timestamptz not null,
  next_from timestamptz not null,
  -- Real time.
  noted_at timestamptz not null
);

-- The reversed ones of a store by when it happened: those are few, and only they are in it.
create index commissions_reversed on commissions (store_id, reversed_at, commission_id) where state = 'reversed';

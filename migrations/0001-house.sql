-- Small tables of the house itself. They are not spread over machines.

-- How far the sandbox's clock was moved; no row live.
create table sandbox_clock (
  singleton boolean primary key check (singleton),
  offset_ms bigint not null
);

-- Up to which business moment each rhythmic job has run.
create table job_runs (
  job text primary key,
  ran_up_to timestamptz not null,
  last_error text,
  failed_at timestamptz,
  failures int not null default 0
);

-- The answer of a request that created something, kept in the transaction that created it. The answer is sealed: it may hold a key.
create table idempotency_keys (
  actor text not null,
  key_hash bytea not null,
  request_hash bytea not null,
  status int,
  reply_sealed bytea,
  made_at timestamptz not null,
  primary key (actor, key_hash)
);

-- What must be remembered of this installation, such as that a live provider key was once used here.
create table installation (
  fact text primary key,
  since timestamptz not null
);

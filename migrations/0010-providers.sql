-- The book of the built-in payment provider. It stands for an outside system: it is written in transactions of its own, knows
-- nothing of stores, creators, invoices or payouts, and only the sandbox has rows in it.

-- A key that was sent, what was sent with it, and what it was answered. Forgotten after 24 hours of business time.
create table sandbox_keys (
  key text primary key,
  content_hash bytea not null,
  calls int not null check (calls > 0),
  -- What the same key is answered from now on. Null: the former call was lost on its way, and the next one is carried out.
  answer jsonb,
  first_at timestamptz not null
);
create index sandbox_keys_by_age on sandbox_keys (first_at);

-- Money that was moved, or was asked to be. A reference can stand here twice: that is how a charge made twice is found.
create table sandbox_movements (
  provider_id text primary key,
  kind text not null check (kind in ('charge', 'payout')),
  reference text not null,
  amount_cents bigint not null check (amount_cents > 0),
  instrument text not null,
  status text not null check (status in ('pending', 'succeeded', 'declined')),
  code text,
  message text,
  made_at timestamptz not null,
  -- The search of a provider lags behind its book.
  found_from_at timestamptz not null,
  check ((status = 'declined') = (code is not null and message is not null))
);
create index sandbox_movements_by_reference on sandbox_movements (reference);
create index sandbox_movements_by_instrument on sandbox_movements (instrument, status);

-- News on its way: what is due is sent over HTTP until it is taken. The same news can come several times.
create table sandbox_events (
  news_id text not null,
  copy int not null,
  body text not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  sent_at timestamptz,
  primary key (news_id, copy)
);
create index sandbox_events_due on sandbox_events (due_at) where sent_at is null;
create index sandbox_events_by_age on sandbox_events (sent_at) where sent_at is not null;

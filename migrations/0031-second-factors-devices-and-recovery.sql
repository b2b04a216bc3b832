-- Who asked for a one-time link and which operator opened its mail, so that the audit log names them when the link is used.
alter table one_time_links add column asked_by text;
alter table one_time_links add column asked_by_name text;
alter table one_time_links add column opened_by text;
alter table one_time_links add column opened_by_name text;

-- The rights that an answer was given under: it is replayed only to whoever still has them. Null: kept before this column existed.
alter table idempotency_keys add column rights text[];

-- A counter may also say from when on its next attempt is admitted.
alter table attempts add column not_before timestamptz;

-- Browsers that have signed in to an account. Each holds a signed cookie that names its row.
create table devices (
  device_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index devices_of_user on devices (user_id);

-- Forgetting a device ends the sessions that it holds.
alter table sessions add column device_id uuid;

-- A new authenticator app that replaces the confirmed one once its first code was entered.
alter table users add column totp_replacement_sealed bytea;

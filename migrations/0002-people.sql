-- People, their sessions, roles and keys. Small, not spread over machines; nothing here refers to a store's tables.

create table users (
  user_id uuid primary key,
  -- In lower case: sign-in compares exactly.
  email text not null unique,
  name text not null,
  -- Null until the person chose a password by the link they were sent.
  password_hash text,
  is_operator boolean not null default false,
  -- The creator that this person is.
  creator_id uuid unique,
  totp_sealed bytea,
  totp_confirmed_at timestamptz,
  -- The last time step that signed in: a code works once.
  totp_last_step bigint,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

create table sessions (
  session_id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the person last proved who they are (password, second factor): what is delicate asks for a recent proof.
  proved_at timestamptz not null,
  user_agent text not null,
  address_hash bytea not null
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table store_roles (
  user_id uuid not null references users on delete cascade,
  store_id uuid not null,
  role text not null check (role in ('owner', 'finance', 'marketer', 'developer', 'viewer')),
  since timestamptz not null,
  primary key (user_id, store_id)
);
create index store_roles_of_store on store_roles (store_id);

create table api_keys (
  api_key_id uuid primary key,
  key_hash bytea not null unique,
  last4 text not null,
  name text not null,
  -- Whose rights the key has: an operator's, a store's, or a creator's.
  kind text not null check (kind in ('operator', 'store', 'creator')),
  store_id uuid,
  creator_id uuid,
  scopes text[] not null,
  made_by uuid,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((kind = 'store') = (store_id is not null) and (kind = 'creator') = (creator_id is not null))
);
create index api_keys_of_store on api_keys (store_id);
create index api_keys_of_creator on api_keys (creator_id);

-- Links that work once: choose a password, accept an invitation, become the first operator. Only the token's hash is kept.
create table one_time_links (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('first_operator', 'sign_up', 'reset_password', 'accept_invitation')),
  -- Whom a sign-up is for: the person is made when the link is used.
  email text,
  user_id uuid references users on delete cascade,
  invitation_id uuid,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table invitations (
  invitation_id uuid primary key,
  email text not null,
  kind text not null check (kind in ('store', 'operator', 'creator')),
  store_id uuid,
  role text check (role in ('owner', 'finance', 'marketer', 'developer', 'viewer')),
  creator_id uuid,
  invited_by uuid,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  check ((kind = 'store') = (store_id is not null and role is not null) and (kind = 'creator') = (creator_id is not null))
);
create index invitations_of_store on invitations (store_id);
create index invitations_of_creator on invitations (creator_id);

-- How often somebody tried to sign in, counted for all processes together. A counter's name is hashed: it holds an address or an e-mail.
create table attempts (
  counter bytea primary key,
  attempts int not null,
  window_ends_at timestamptz not null
);
create index attempts_by_end on attempts (window_ends_at);

create table audit_log (
  audit_entry_id uuid primary key,
  at timestamptz not null,
  -- `user …`, `key …` or `system`, and the name as it was then.
  actor text not null,
  actor_name text not null,
  store_id uuid,
  creator_id uuid,
  action text not null,
  subject text not null,
  details jsonb not null,
  request_id text not null,
  address_hash bytea
);
create index audit_log_of_store on audit_log (store_id, audit_entry_id);

-- Mails on their way. The text is sealed: it may hold a link that works once.
create table mails (
  mail_id uuid primary key,
  made_at timestamptz not null,
  to_address text not null,
  subject text not null,
  body_sealed bytea not null,
  store_id uuid,
  state text not null check (state in ('waiting', 'sent', 'failed', 'kept')),
  attempts int not null default 0,
  -- When it is tried next, in real time. Whoever takes the mail moves this forward, so that no second one sends it too.
  try_at timestamptz not null,
  sent_at timestamptz,
  last_error text
);
create index mails_waiting on mails (try_at) where state = 'waiting';
create index mails_of_store on mails (store_id, mail_id);

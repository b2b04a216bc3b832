-- Stores and all that belongs to one: store_id comes first everywhere, so that the tables can be spread by it.

create table stores (
  store_id uuid primary key,
  name text not null,
  site_url text not null,
  tracking_key text not null,
  tracking_on_at timestamptz,
  integration_disabled_at timestamptz,
  -- The status is told from these two: an archived store that comes back may still owe.
  past_due_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null
);

-- Which store a tracking key in a path means: unique across stores, so it has a directory of its own.
create table tracking_keys (
  tracking_key text primary key,
  store_id uuid not null
);

create table postback_keys (
  store_id uuid not null references stores,
  postback_key_id uuid not null,
  key_hash bytea not null,
  last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (store_id, postback_key_id),
  unique (store_id, key_hash)
);

create table payment_methods (
  store_id uuid not null references stores,
  payment_method_id uuid not null,
  provider text not null check (provider in ('sandbox', 'stripe')),
  -- The sandbox's word, or the provider's own id of the saved method. Never a card number.
  instrument text not null,
  made_at timestamptz not null,
  replaced_at timestamptz,
  primary key (store_id, payment_method_id)
);
create unique index payment_method_in_use on payment_methods (store_id) where replaced_at is null;

create table programs (
  store_id uuid not null references stores,
  program_id uuid not null,
  name text not null,
  landing_url text not null,
  status text not null check (status in ('draft', 'published', 'paused')),
  first_published_at timestamptz,
  -- What the next version of the terms takes over.
  attribution_days int not null check (attribution_days between 1 and 365),
  hold_days int not null check (hold_days between 0 and 90),
  approval text not null check (approval in ('manual', 'auto')),
  auto_approve_days int check (auto_approve_days between 3 and 90),
  created_at timestamptz not null,
  primary key (store_id, program_id),
  check ((approval = 'auto') = (auto_approve_days is not null))
);

-- Terms are versions, only ever added. Of two with the same effective_from the higher version holds.
create table terms (
  store_id uuid not null,
  program_id uuid not null,
  version int not null check (version >= 1),
  effective_from timestamptz not null,
  made_at timestamptz not null,
  attribution_days int not null check (attribution_days between 1 and 365),
  hold_days int not null check (hold_days between 0 and 90),
  approval text not null check (approval in ('manual', 'auto')),
  auto_approve_days int check (auto_approve_days between 3 and 90),
  pays text not null check (pays in ('order', 'product')),
  order_rules jsonb not null,
  subscription_rules jsonb not null,
  primary key (store_id, program_id, version),
  foreign key (store_id, program_id) references programs
);

-- A creator's own tables: creator_id comes first.
create table creators (
  creator_id uuid primary key,
  name text not null,
  email text not null,
  suspended_at timestamptz,
  created_at timestamptz not null
);

create table payout_methods (
  creator_id uuid not null references creators,
  payout_method_id uuid not null,
  provider text not null check (provider in ('sandbox', 'stripe', 'manual')),
  instrument text not null,
  made_at timestamptz not null,
  -- A changed destination waits before money goes to it.
  usable_from timestamptz not null,
  replaced_at timestamptz,
  primary key (creator_id, payout_method_id)
);
create unique index payout_method_in_use on payout_methods (creator_id) where replaced_at is null;

create table members (
  store_id uuid not null,
  member_id uuid not null,
  program_id uuid not null,
  creator_id uuid not null,
  status text not null check (status in ('applied', 'approved', 'paused', 'removed')),
  since timestamptz not null,
  created_at timestamptz not null,
  primary key (store_id, member_id),
  unique (store_id, program_id, creator_id),
  foreign key (store_id, program_id) references programs
);

create table links (
  store_id uuid not null,
  -- Minted at random; it stands inside each click ID of this link.
  link_number bigint not null,
  code text not null,
  program_id uuid not null,
  member_id uuid not null,
  creator_id uuid not null,
  -- Null: wherever the program's landing page is.
  destination_url text,
  created_at timestamptz not null,
  primary key (store_id, link_number),
  foreign key (store_id, member_id) references members
);
create index links_of_member on links (store_id, member_id);
create index links_of_program on links (store_id, program_id, created_at, code);

-- Codes and numbers are unique across stores.
create table link_codes (
  code text primary key,
  link_number bigint not null unique,
  store_id uuid not null
);

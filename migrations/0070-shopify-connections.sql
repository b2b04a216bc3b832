-- Stores that let the service read the paid orders of their Shopify shop, instead of sending reports from a server of their own.
create table shopify_connections (
  store_id uuid primary key references stores,
  -- Names the connection in the tracking log, in place of a postback key.
  postback_key_id uuid not null,
  -- Such as a-store.myshopify.com.
  shop text not null,
  -- Null: the app of the installation. Otherwise an app of the merchant's own.
  client_id text,
  client_secret_sealed bytea,
  token_sealed bytea not null,
  -- Real time, as all times here. Null: the token does not expire.
  token_expires_at timestamptz,
  refresh_token_sealed bytea,
  connected_at timestamptz not null,
  -- Null: Shopify does not deliver webhooks yet, and why.
  webhooks_at timestamptz,
  webhooks_problem text,
  pixel_problem text,
  -- Orders that changed until then were compared.
  compared_until timestamptz not null,
  compare_problem text,
  -- Shopify said that the app was uninstalled, which its API must confirm.
  uninstall_reported_at timestamptz,
  -- The last request whose signature was wrong, at most one in a minute.
  rejected_at timestamptz,
  rejected_why text,
  check ((client_id is null) = (client_secret_sealed is null))
);

-- The directory that makes a shop unique across stores, and finds the store of a webhook that names only the shop.
create table shopify_shops (
  shop text primary key,
  store_id uuid not null
);

-- Installations that a person began and Shopify has not confirmed yet.
create table shopify_installs (
  store_id uuid not null,
  state_hash bytea not null,
  shop text not null,
  begun_by uuid not null,
  expires_at timestamptz not null,
  primary key (store_id, state_hash)
);

-- Orders that a webhook or the daily comparison named. What is reported is read from Shopify, so no content of a webhook is kept.
create table shopify_orders (
  store_id uuid not null,
  shopify_order_id uuid not null,
  -- Shopify's own IDs.
  order_name text not null,
  checkout_token text,
  seen_at timestamptz not null,
  -- The last time a reading was requested: a request that comes while the order is read causes another one.
  requested_at timestamptz not null,
  requested_by text not null,
  -- Once found it stays, whatever is changed in Shopify later.
  click_id text,
  reported_at timestamptz,
  state text not null check (state in ('waiting', 'done', 'ignored', 'failed')),
  reason text,
  message text,
  attempts int not null,
  -- While an attempt is under way it is the end of its lease.
  try_at timestamptz not null,
  ended_at timestamptz,
  primary key (store_id, shopify_order_id),
  check ((state = 'waiting') = (ended_at is null))
);
create unique index shopify_order_once on shopify_orders (store_id, order_name);
create index shopify_orders_due on shopify_orders (store_id, try_at) where state = 'waiting';
create index shopify_orders_by_state on shopify_orders (store_id, state, shopify_order_id);
create index shopify_orders_by_checkout on shopify_orders (store_id, checkout_token) where checkout_token is not null;

-- What browsers said about completed checkouts. Everyone can post it.
create table shopify_clicks (
  store_id uuid not null,
  checkout_token text not null,
  click_id text not null,
  -- Two browsers named different clicks, so neither is used.
  is_disputed boolean not null,
  posted_at timestamptz not null,
  primary key (store_id, checkout_token)
);

-- Attribution without a click: discount codes, and customers who return.
alter table terms
  add column codes text not null default 'off' check (codes in ('off', 'when_no_click', 'before_click')),
  add column returning_days int check (returning_days between 1 and 3650),
  add column returning_orders int check (returning_orders between 1 and 10000),
  add column new_click text check (new_click in ('last_click', 'first_partner')),
  add check ((returning_days is null) = (new_click is null) and (returning_orders is null or returning_days is not null));

-- Set with the first terms that count codes or returning customers, so that the orders of all other stores load no facts about them.
alter table stores add column counts_beyond_clicks boolean not null default false;

create table discount_codes (
  store_id uuid not null,
  code_id uuid not null,
  code text not null,
  -- The code without case, by which orders find it.
  code_key text not null,
  program_id uuid not null,
  member_id uuid not null,
  creator_id uuid not null,
  -- The code's own link, under which reports count its orders.
  link_number bigint not null,
  is_shared boolean not null,
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  orders_per_customer int check (orders_per_customer between 1 and 10000),
  paused_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (store_id, code_id),
  unique (store_id, code_key)
);
create index discount_codes_of_program on discount_codes (store_id, program_id, code_id);
create index discount_codes_of_creator on discount_codes (store_id, creator_id, code_id);

-- The creator to whom later orders of a customer belong. A new number replaces the creator for later orders.
create table customer_bindings (
  store_id uuid not null,
  customer_hash bytea not null,
  number int not null check (number >= 1),
  binding_id uuid not null,
  order_hash bytea not null,
  program_id uuid not null,
  creator_id uuid not null,
  link_number bigint not null,
  bound_at timestamptz not null,
  primary key (store_id, customer_hash, number)
);

-- The orders of a customer that a code or a binding has earned, numbered. The key decides between processes, so that no limit is exceeded.
create table customer_uses (
  store_id uuid not null,
  -- The code or the binding.
  subject_id uuid not null,
  customer_hash bytea not null,
  number int not null check (number >= 1),
  order_hash bytea not null,
  primary key (store_id, subject_id, customer_hash, number)
);
create index customer_uses_of_customer on customer_uses (store_id, customer_hash);

-- An order of a code or a returning customer claims no click. `attribution` is what was compared; null if there was only a click.
alter table orders
  alter column click_id drop not null,
  add column discount_codes text,
  add column attribution jsonb;
create index orders_compared on orders (store_id, occurred_at) where attribution -> 'compared' is not null;

-- A creator sees an order that another creator's code or click took; a code has no click.
alter table refused_orders alter column click_id drop not null;

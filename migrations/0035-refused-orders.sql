-- Orders and subscriptions that came with a creator's click and were refused: what their creator reads of it. Nothing of the merchant's
-- order is here but the hash of its id, by which the same order sent again is the same row.
create table refused_orders (
  store_id uuid not null,
  creator_id uuid not null,
  refusal_id uuid not null,
  at timestamptz not null,
  program_id uuid not null,
  link_number bigint not null,
  click_id uuid not null,
  operation text not null check (operation in ('conversion', 'relationship')),
  subject_hash bytea not null,
  reason text not null,
  why jsonb not null,
  primary key (store_id, creator_id, refusal_id)
);
create unique index refused_order_once on refused_orders (store_id, creator_id, operation, subject_hash, reason);
create index refused_orders_of_link on refused_orders (store_id, creator_id, link_number);

-- Whether terms of the store ever asked whether a customer is new. Only such stores look customers up.
alter table stores add column counts_new_customers boolean not null default false;

-- The order that earned by a rule for new customers. A customer is new once; the key decides between two processes.
create table first_orders (
  store_id uuid not null,
  customer_hash bytea not null check (length(customer_hash) = 32),
  order_hash bytea not null check (length(order_hash) = 32),
  primary key (store_id, customer_hash)
);

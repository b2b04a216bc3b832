-- The orders of a customer, for searches and for requests about a customer's data. Partial, so that the planner never takes it for the
-- primary key; an entry stays small.
create index orders_of_customer on orders (store_id, left(customer_id, 100), recorded_at) where customer_id is not null;

-- Operators find stores and creators by the beginning of the name.
create index stores_by_name on stores (lower(left(name, 100)) text_pattern_ops, store_id);
create index creators_by_name on creators (lower(left(name, 100)) text_pattern_ops, creator_id);

-- Beside the primary key a second index that began with the store was as good for a table of a few hundred rows, and a plan that was
-- made and kept at such a moment read all orders of the store for each one looked up. So this one begins with what only it is for. The
-- former goes last: until then whoever reads orders need not wait.
create index orders_of_transaction on orders (transaction_id);
drop index orders_by_transaction;

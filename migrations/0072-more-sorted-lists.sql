-- Sorts of lists that grow with the installation or with a store. None of the columns changes when a row's state does.
create index relationships_by_bound on relationships (store_id, bound_at, binding_id) where environment = 'live';
create index stores_in_name_order on stores (lower(name), store_id);
create index creators_in_name_order on creators (lower(name), creator_id);
create index payouts_by_amount on payouts (amount_cents, payout_id) where amount_cents is not null;
create index payouts_in_time_order on payouts (payout_id) where amount_cents is not null;
-- The few that an operator filters by state; those that have not ended are in payout_unfinished.
create index payouts_failed on payouts (payout_id) where state in ('failed', 'returned');

-- A creator's sales are filtered by state, and searched by a part of the ID, in the index alone.
create index commissions_by_creator on commissions (store_id, creator_id, occurred_at, commission_id) include (state, source_text);
drop index commissions_of_creator;

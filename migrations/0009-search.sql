-- What a page of the review queue is found by. Each ends as its list is sorted, so that a page reads as many rows as it shows,
-- however many there are.

-- By the beginning of the merchant's own id. An index entry must stay small, so that only the beginning is in it.
create index commissions_by_beginning on commissions (store_id, left(source_text, 100) text_pattern_ops, commission_id);
-- The few that wait among the many that are done, and the other way round.
create index commissions_by_state on commissions (store_id, state, occurred_at, commission_id);
-- Holds are few: nearly nothing to keep.
create index commissions_held on commissions (store_id, occurred_at, commission_id) where held_reason is not null;

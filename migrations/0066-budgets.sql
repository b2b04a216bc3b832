-- The most that the orders of a program may earn. Null: no limit.
alter table terms add column budget jsonb;

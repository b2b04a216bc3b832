-- The beginning of the merchant's own id, day by day: the latest that begin so are found by looking into one day after another,
-- however many others lie between them and now.
create index commissions_by_day on commissions (
  store_id, ((occurred_at at time zone 'utc')::date), left(source_text, 100) text_pattern_ops);

-- The order number that customers see, for searches; null where the merchant sends none. It never changes, and is erased with the order.
alter table commissions add column source_name text;

-- A search finds what an ID or a name begins with, ignoring case and a leading #, and what it ends with. Days come first, because the
-- latest matches are found in one day after another.
create index commissions_by_id_start on commissions (
  store_id, ((occurred_at at time zone 'utc')::date), ltrim(lower(left(source_text, 100)), '#') text_pattern_ops);
create index commissions_by_name_start on commissions (
  store_id, ((occurred_at at time zone 'utc')::date), ltrim(lower(left(source_name, 100)), '#') text_pattern_ops)
  where source_name is not null;
create index commissions_by_end on commissions (
  store_id, ((occurred_at at time zone 'utc')::date), reverse(lower(right(coalesce(source_name, source_text), 100))) text_pattern_ops);
drop index commissions_by_day;

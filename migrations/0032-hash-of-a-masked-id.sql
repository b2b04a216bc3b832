-- Where an order_id held a key, source_text is masked, so its SHA-256 is no longer that of the order. Null: it is.
alter table commissions add column source_hash bytea;

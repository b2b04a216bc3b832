-- Which secret key hashed a recovery code, by the key's id: before a previous key is removed, an operator sees whose codes end with it.
-- Null: written before this migration, or by a release before it.
alter table recovery_codes add column key_id bytea;

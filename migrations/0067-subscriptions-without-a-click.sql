-- A subscription that a discount code or a returning customer earned has no click.
-- `touch_hash` is what another event that repeats the bind must name again. `attribution` is what was compared; null if there was only
-- a click.
alter table relationships
  alter column click_id drop not null,
  add column touch_hash bytea,
  add column attribution jsonb,
  add check (click_id is not null or (touch_hash is not null and attribution is not null));

-- Rates that depend on what a creator has had approved lately. Null: the same rates whatever was approved.
alter table terms add column tiers jsonb;

-- A creator's approved commissions in a period, by the time of the approval, without reading the table.
create index commissions_approved_of_creator on commissions (store_id, program_id, creator_id, approved_at)
  include (source_kind, eligible_cents, refunded_cents)
  where state in ('approved', 'billed', 'collected', 'paid');

-- The merchant's decisions on commissions, and the automatic ones.

-- One decision on one commission: what a drawer shows as its history, and what a posting names as its source. Never changed.
create table decisions (
  store_id uuid not null,
  decision_id uuid not null,
  commission_id uuid not null,
  action text not null check (action in ('approve', 'reject', 'hold', 'release', 'reopen')),
  reason text,
  note text,
  -- `user_…`, `key_…` or `system`, and the name as it was then.
  decided_by text not null,
  decided_by_name text not null,
  at timestamptz not null,
  primary key (store_id, decision_id),
  check ((action in ('reject', 'hold')) = (reason is not null))
);
create index decisions_of_commission on decisions (store_id, commission_id, decision_id);

-- When the store's people were told that it approves itself soon. Null: not yet, or it was held since; then they are told again.
alter table commissions add column auto_approve_told_at timestamptz,
  add check (auto_approve_told_at is null or auto_approve_at is not null);
-- What the nightly job looks through: nearly nothing, where approval is by hand.
create index commissions_approving_themselves on commissions (store_id, auto_approve_at)
  where state = 'pending' and held_reason is null and auto_approve_at is not null;

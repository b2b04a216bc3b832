-- A partial refund of a commission that is in a payout: an operator credits its part to the store, and the creator keeps it.
alter table credit_note_lines
  -- The merchant's ID of the refund, and its SHA-256. Null: the line is not of such a refund.
  add column late_refund_id text,
  add column late_refund_hash bytea,
  -- The refunded part of the eligible amount, and what it is of each part of the commission's breakdown.
  add column late_eligible_cents bigint check (late_eligible_cents > 0),
  add column late_parts jsonb,
  add check (late_refund_hash is null or (is_borne and refund_id is null and late_refund_id is not null and late_eligible_cents is not null
    and late_parts is not null));
create unique index credit_note_lines_of_late_refund on credit_note_lines (store_id, commission_id, late_refund_hash)
  where late_refund_hash is not null;

-- An operator credits the rest of a line once, and parts of it for several refunds.
drop index credit_note_lines_by_operator;
create unique index credit_note_lines_by_operator on credit_note_lines (store_id, commission_id)
  where refund_id is null and late_refund_hash is null;

-- A limit of a program's budget that was nearly or wholly used, of which the team is notified once.
create table budget_notices (
  store_id uuid not null,
  program_id uuid not null,
  limit_name text not null check (limit_name in ('program_month', 'program_total')),
  -- `2026-11`. Empty: the limit has no period.
  month text not null,
  -- Another amount is another limit.
  limit_cents bigint not null,
  percent smallint not null check (percent in (80, 100)),
  reached_at timestamptz not null,
  sent_at timestamptz,
  primary key (store_id, program_id, limit_name, month, limit_cents, percent)
);
create index budget_notices_unsent on budget_notices (store_id) where sent_at is null;

-- Bonuses for reaching a number of approved orders. Null: none.
alter table terms add column goals jsonb;
create index terms_with_goals on terms (store_id, program_id) where goals is not null;

-- Null in a bonus that a person added.
alter table bonuses
  -- The period and the number of orders, as `month 10`.
  add column goal_key text,
  -- `2026-11`. Empty: in all.
  add column goal_month text,
  add column goal_version int,
  -- The commissions of the orders that were counted, in the order of their approvals.
  add column goal_commissions uuid[],
  -- When an order no longer counted: the bonus was withdrawn, or, after its approval, the team was notified.
  add column goal_withdrawn_at timestamptz,
  add column goal_notified_at timestamptz,
  add check ((goal_key is null) = (goal_month is null) and (goal_key is null) = (goal_version is null)
    and (goal_key is null) = (goal_commissions is null));
-- The arbiter between processes: a creator reaches a goal once in a period.
create unique index bonuses_of_goal on bonuses (store_id, program_id, member_id, goal_key, goal_month) where goal_key is not null;

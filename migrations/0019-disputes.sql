-- A creator's objection to a rejection: one open at a time for a commission, decided by the store or an operator.
create table commission_disputes (
  store_id uuid not null,
  dispute_id uuid not null,
  commission_id uuid not null,
  creator_id uuid not null,
  words text not null,
  opened_at timestamptz not null,
  state text not null check (state in ('open', 'accepted', 'declined')),
  decided_at timestamptz,
  decided_by text,
  decided_by_name text,
  note text,
  primary key (store_id, dispute_id),
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)),
  check ((decided_by is null) = (decided_by_name is null) and (state <> 'declined' or note is not null))
);
create unique index commission_dispute_open on commission_disputes (store_id, commission_id) where state = 'open';
create index commission_disputes_by_state on commission_disputes (store_id, state, dispute_id);
create index commission_disputes_of_creator on commission_disputes (store_id, creator_id, dispute_id);

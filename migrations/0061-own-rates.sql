-- Rules that precede the program's for a group of members or for one membership.
alter table terms add column own_rates jsonb not null default '[]';

create table member_groups (
  store_id uuid not null,
  group_id uuid not null,
  program_id uuid not null,
  name text not null,
  created_at timestamptz not null,
  primary key (store_id, group_id)
);
create unique index member_groups_by_name on member_groups (store_id, program_id, lower(name));

-- Which group a membership was in since when. Rows are only added, so that the group at the time of an order does not change later.
create table group_moves (
  store_id uuid not null,
  member_id uuid not null,
  number int not null check (number >= 1),
  -- Null: in no group.
  group_id uuid,
  moved_at timestamptz not null,
  primary key (store_id, member_id, number)
);

-- Where the rule that was copied at the bind is from, as in `commissions.earned`. Null if the terms have the same rates for all creators.
alter table relationships add column rule jsonb;

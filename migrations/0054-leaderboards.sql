-- The merchant switches a program's leaderboard on. Each member then chooses whether to appear, and under which name; null: does not.
alter table programs add column has_leaderboard boolean not null default false;
alter table members add column leaderboard_name text;
create unique index members_by_leaderboard_name on members (store_id, program_id, lower(leaderboard_name))
  where leaderboard_name is not null;

-- A month's approved commissions of a program, newest first, without reading the table.
create index commissions_approved_of_program on commissions (store_id, program_id, approved_at) include (creator_id)
  where state in ('approved', 'billed', 'collected', 'paid');

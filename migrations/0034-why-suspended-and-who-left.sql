-- Each suspension of a creator, with its reason: the reason is read by the creator, the note by operators only.
create table creator_suspensions (
  creator_id uuid not null references creators,
  suspension_id uuid not null,
  reason text,
  note text,
  suspended_at timestamptz not null,
  suspended_by text not null,
  suspended_by_name text not null,
  ended_at timestamptz,
  ended_by text,
  ended_by_name text,
  primary key (creator_id, suspension_id)
);
-- At most one is open.
create unique index open_suspension_of_creator on creator_suspensions (creator_id) where ended_at is null;

-- When the creator left the program; null where the merchant ended the membership.
alter table members add column left_at timestamptz;

-- The reason of the suspension that is open, beside its time; null where none was given.
alter table creators add column suspension_reason text;

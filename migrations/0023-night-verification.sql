-- How long a verification took, and what each check found: the night's are read in the morning. Null where it was not kept yet.
alter table verifications
  add column took_ms bigint,
  add column checks jsonb,
  add column found jsonb;

-- Which mails somebody of a store does not want about it. What needs somebody at once (a charge that failed) is always sent.
create table store_mails_off (
  store_id uuid not null,
  user_id uuid not null,
  kind text not null,
  primary key (store_id, user_id, kind)
);

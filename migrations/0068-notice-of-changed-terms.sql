alter table terms
  -- While this version is in force, a worse one starts so many days after it was added. Null: no promise.
  add column notice_days int check (notice_days between 7 and 90),
  -- For so many days after the start, orders whose click came before it keep the former version. Null: none.
  add column protect_click_days int check (protect_click_days between 1 and 365),
  -- Whether the creators are informed of this version before it starts, and may accept it.
  add column announced boolean not null default false,
  add column canceled_at timestamptz,
  -- The last member who was informed, in the order of member IDs, and when all were.
  add column notices_sent_to uuid,
  add column notices_sent_at timestamptz;

-- A creator has accepted an announced version before its start. It applies to the creator's orders from then on.
create table terms_acceptances (
  store_id uuid not null,
  program_id uuid not null,
  version int not null,
  creator_id uuid not null,
  accepted_at timestamptz not null,
  -- The account or API key that accepted, as in the audit log.
  accepted_by text not null,
  primary key (store_id, program_id, version, creator_id),
  foreign key (store_id, program_id, version) references terms
);

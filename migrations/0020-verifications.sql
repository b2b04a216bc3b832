-- What each verification of the books found: an operator sees when everything was looked at last.
create table verifications (
  verification_id uuid primary key,
  at timestamptz not null,
  checked bigint not null,
  differences int not null check (differences >= 0),
  asked_by text not null,
  asked_by_name text not null
);

-- A creator's own side: in which stores they are, what they tell of themselves, and which mails they want.

-- The directory of programs: a public page and an application name a program and no store.
create table program_directory (
  program_id uuid primary key,
  store_id uuid not null
);
insert into program_directory (program_id, store_id) select program_id, store_id from programs;

-- The stores that a creator is or was in, so that their own pages ask those and no others.
create table creator_stores (
  creator_id uuid not null,
  store_id uuid not null,
  primary key (creator_id, store_id)
);
insert into creator_stores (creator_id, store_id) select distinct creator_id, store_id from members;

create index members_of_creator on members (store_id, creator_id, member_id);
create index links_of_creator on links (store_id, creator_id, created_at, code);

-- For whoever has to report what was paid. The id is sealed, its end may be shown.
create table creator_tax (
  creator_id uuid primary key references creators,
  country text not null,
  legal_name text not null,
  tax_id_sealed bytea not null,
  tax_id_last4 text not null,
  changed_at timestamptz not null
);

-- The mails that a creator does not want. Whoever says nothing gets all.
create table creator_mails_off (
  creator_id uuid not null references creators,
  kind text not null check (kind in ('joined', 'new_commissions', 'approved', 'refused', 'paid', 'failed')),
  primary key (creator_id, kind)
);

-- Up to when a creator was told of new, approved and refused commissions: one mail a day, however many there are.
create table creator_digests (
  creator_id uuid primary key,
  told_until timestamptz not null
);

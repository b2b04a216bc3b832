-- What a store gives the members of a program to promote it: texts, and files in chunks of at most 256 KiB. Times are real time.
create table program_assets (
  store_id uuid not null,
  asset_id uuid not null,
  program_id uuid not null,
  -- A file's name ends with the extension of its type.
  name text not null,
  -- Of a file, found in its first bytes; null for a text.
  content_type text check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf')),
  text text,
  size_bytes integer not null,
  created_at timestamptz not null,
  primary key (store_id, asset_id),
  check ((content_type is null) = (text is not null))
);
create index program_assets_of_program on program_assets (store_id, program_id, asset_id);

create table program_asset_chunks (
  store_id uuid not null,
  asset_id uuid not null,
  position integer not null,
  bytes bytea not null check (octet_length(bytes) between 1 and 262144),
  primary key (store_id, asset_id, position),
  foreign key (store_id, asset_id) references program_assets on delete cascade
);

-- What a merchant shows on the public page of a program. A program without a row has a page with its terms only.
create table program_pages (
  store_id uuid not null,
  program_id uuid not null,
  -- A part of Markdown, like the answers in faq.
  description text not null,
  accent_color text not null check (accent_color ~ '^#[0-9a-f]{6}$'),
  faq jsonb not null,
  is_listed boolean not null,
  primary key (store_id, program_id)
);

create table program_logos (
  store_id uuid not null,
  program_id uuid not null,
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null,
  -- Part of the image's URL, so that caches never show a former one.
  hash text not null,
  primary key (store_id, program_id)
);

-- Clicks, their signing keys and their daily figures.

-- A key signs from its moment on until the next one's; the click's own time says which. Kept as long as a click may count.
create table signing_keys (
  signing_key_id uuid primary key,
  signs_from timestamptz not null unique,
  key_sealed bytea not null,
  made_at timestamptz not null
);

-- Partitioned by the click's id: a UUIDv7 is time, so a look-up by id reads one partition. No second index: clicks are
-- found by id only, figures come from the rollups below.
create table clicks (
  store_id uuid not null,
  click_id uuid not null,
  link_number bigint not null,
  program_id uuid not null,
  creator_id uuid not null,
  -- What the creator added to the link to tell their own places apart.
  sub_id text,
  -- The host only: the rest of the address is nobody's business.
  referrer_host text,
  -- A keyed hash that changes daily.
  address_hash bytea not null,
  primary key (store_id, click_id)
) partition by range (click_id);

create table clicks_default partition of clicks default;

-- How often what happened on a link on a day (UTC). The slot is the writer's: a row that all writers share would make
-- them wait for each other. Slots are summed when read, and folded into slot -1 by a job.
create table link_days (
  store_id uuid not null,
  link_number bigint not null,
  day date not null,
  what text not null,
  slot smallint not null,
  count bigint not null,
  primary key (store_id, link_number, day, what, slot)
);

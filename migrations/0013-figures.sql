-- Figures of the dashboards, kept in the transaction that makes them: what happened on a day, and what it came to.

-- Amounts of what was sold and earned on a link; 0 for clicks and other arrivals.
alter table link_days
  add column eligible_cents bigint not null default 0,
  add column commission_cents bigint not null default 0;

-- The same by store, so that a year of any store is some thousand rows; and what concerns no single link.
create table store_days (
  store_id uuid not null,
  day date not null,
  what text not null,
  slot smallint not null,
  count bigint not null,
  eligible_cents bigint not null default 0,
  commission_cents bigint not null default 0,
  primary key (store_id, day, what, slot)
);

-- What was rejected or reversed, counted on the day of its order: earned is what was opened on a day less this (docs/money.md).
-- The former version neither reads nor writes these rows. What it rejects or reverses while it still runs beside this one is missing in
-- them until `npm run cli -- rebuild-figures`, and the verification names it.
insert into link_days (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
select store_id, link_number, (occurred_at at time zone 'utc')::date, 'lost', -1, count(*), sum(eligible_cents), sum(amount_cents)
from commissions where state in ('rejected', 'reversed') group by 1, 2, 3;

insert into store_days (store_id, day, what, slot, count, eligible_cents, commission_cents)
select store_id, (occurred_at at time zone 'utc')::date, 'lost', -1, count(*), sum(eligible_cents), sum(amount_cents)
from commissions where state in ('rejected', 'reversed') group by 1, 2;

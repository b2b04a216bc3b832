-- A commission's row is written once more with each step of its way, and an entry in each of its indexes with it. What leads to it and
-- never changes is found elsewhere: an invoice's commissions by its lines, that of an order by the order.
create index orders_by_transaction on orders (store_id, transaction_id);
drop index commissions_of_source;
drop index commissions_of_invoice;
-- Since parts have a table of their own, nothing is found by this one.
drop index invoice_lines_of_part;

-- Money that came in and that nobody owed: a person sends it back at the provider, and says so here.
alter table charges add column stray_at timestamptz,
  add column given_back_at timestamptz,
  add column given_back_by text,
  add column given_back_note text,
  add check (stray_at is null or state = 'succeeded'),
  add check (given_back_at is null or stray_at is not null),
  add check ((given_back_at is null) = (given_back_by is null) and (given_back_at is null) = (given_back_note is null));
create index charges_stray on charges (store_id, charge_id) where stray_at is not null and given_back_at is null;

-- A higher limit above which a second person confirms, or none, waits for a second person itself.
alter table payout_settings add column asked_at timestamptz,
  add column asked_above_cents bigint check (asked_above_cents >= 0),
  add column asked_by text,
  add column asked_by_name text,
  add column asked_by_user_id uuid,
  add check ((asked_at is null) = (asked_by is null) and (asked_at is null) = (asked_by_name is null)),
  add check (asked_at is not null or (asked_above_cents is null and asked_by_user_id is null));

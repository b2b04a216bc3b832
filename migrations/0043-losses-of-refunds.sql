-- What a refund at the payment provider cost the operator: an operator decided that neither the store nor its creators bear it.
create table charge_losses (
  store_id uuid not null,
  loss_id uuid not null,
  charge_id uuid not null,
  invoice_id uuid not null,
  -- The risk case by which it was booked; its history says who did, and why.
  case_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  primary key (store_id, loss_id),
  -- One decision books a charge once.
  unique (store_id, charge_id, case_id),
  foreign key (store_id, charge_id) references charges
);

-- By which cards stores pay or paid: a directory, since one card that pays for stores of two teams is evidence that one person is behind
-- both.
-- The fingerprint is Stripe's name of a card, the same wherever it is saved in one account at Stripe.
create table store_cards (
  card_fingerprint text not null,
  store_id uuid not null,
  primary key (card_fingerprint, store_id)
);
create index store_cards_of_store on store_cards (store_id, card_fingerprint);

-- Pairs whose commissions are still to be released: looked for each minute, and nearly none. Small, since every case that was released is
-- marked within a minute.
create index risk_cases_to_release on risk_cases (case_id)
  where rule = 'same_person' and is_enforced and state = 'released' and unheld_at is null;

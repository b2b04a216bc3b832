-- The account at Stripe that a creator began to connect. Money goes to it only once it is their payout method.
create table stripe_accounts (
  creator_id uuid primary key references creators,
  account text not null,
  begun_at timestamptz not null
);

-- The country in which a creator's account at Stripe was made, in two letters. Null: begun before it was asked for, in the platform's own.
alter table stripe_accounts add column country text;

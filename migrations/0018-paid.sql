-- When a commission reached its creator: what its figure of the day is taken from where the payout comes back.
alter table commissions add column paid_at timestamptz;
update commissions set paid_at = recorded_at where state = 'paid';
alter table commissions add check ((state = 'paid') = (paid_at is not null));

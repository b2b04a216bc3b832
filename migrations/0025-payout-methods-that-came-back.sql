-- What a bank sent back is not sent to the same account again before the creator says where to.
alter table payout_methods add column came_back_at timestamptz;

-- What holds up the next payout of a creator beside one that is not at its end (payout_unfinished): one that failed, was told paid
-- afterwards and waits for a decision. Nearly nothing, so that asking for both never reads what else a creator was paid.
create index payout_contradicted on payouts (creator_id)
  where state = 'failed' and contradicted_at is not null and contradiction_decided_at is null;

-- The types of events that an endpoint was given after it began to listen, each with the moment from which on it is told of them: what
-- it listened to before goes on as it was.
alter table webhook_endpoints add column added_from jsonb not null default '{}';

-- When news came that contradicts the end of a payout, such as that one which failed was paid after all; and when a person decided of
-- it. In between nothing more is paid to the creator of one that failed.
alter table payouts add column contradicted_at timestamptz;
alter table payouts add column contradiction_decided_at timestamptz;

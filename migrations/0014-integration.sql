-- What is proved of an integration: the evidence behind its lights.

-- When somebody came by it first. Null: nobody yet.
alter table test_links add column opened_at timestamptz;

-- A landing page that our server fetched. Null found: it is being fetched just now, or that was broken off.
create table integration_checks (
  store_id uuid not null references stores,
  integration_check_id uuid not null,
  -- Business time, for people.
  at timestamptz not null,
  -- Real time, for the limits.
  asked_at timestamptz not null,
  page_url text not null,
  found jsonb,
  primary key (store_id, integration_check_id)
);

-- The newest of each is asked for whenever the lights are looked at. Refunds are few among the lines of the log.
create index test_orders_by_time on test_orders (store_id, recorded_at);
create index postback_log_accepted_reversals on postback_log (store_id, postback_id) where operation = 'reversal' and status = 200;

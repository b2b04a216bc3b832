-- The creator's side: what stores have told, what is earned, and what is paid out. creator_id comes first.

-- An entry of a store's outbox that stands in the creator's book: whoever delivers it first writes this row.
create table creator_entries (
  creator_id uuid not null,
  entry_id uuid not null,
  store_id uuid not null,
  commission_id uuid not null,
  kind text not null check (kind in ('collected', 'charged_back', 'credited', 'advanced', 'repaid', 'advance_ended')),
  amount_cents bigint not null check (amount_cents > 0),
  at timestamptz not null,
  primary key (creator_id, entry_id)
);

-- One commission that was collected. Both counts are sums, so that entries may come in any order: 0 or 1 once all have come.
create table earnings (
  creator_id uuid not null,
  store_id uuid not null,
  commission_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- How often it was told collected, less how often that was taken back.
  collected smallint not null,
  -- How often the operator stood in for the store, less how often that ended.
  advanced smallint not null,
  payout_id uuid,
  primary key (creator_id, store_id, commission_id)
);
create index earnings_free on earnings (creator_id, store_id, commission_id) where payout_id is null and collected > 0;
create index earnings_of_payout on earnings (creator_id, payout_id, store_id, commission_id) where payout_id is not null;

-- A union of states. `gathering` and `given_up` are our own: nobody was promised anything. `ready` was decided and not yet sent.
create table payouts (
  creator_id uuid not null,
  payout_id uuid not null,
  payout_run_id uuid not null,
  state text not null check (state in
    ('gathering', 'given_up', 'awaiting_second', 'ready', 'sending', 'unknown', 'paid', 'failed', 'returned')),
  -- Who asked for it, and the person behind: the second one must be somebody else.
  started_by text not null,
  started_by_user_id uuid,
  begun_at timestamptz not null,
  -- What it had to reach when it was begun, so that whoever goes on with it decides the same.
  minimum_cents bigint not null check (minimum_cents > 0),
  amount_cents bigint check (amount_cents > 0),
  payout_method_id uuid,
  provider text check (provider in ('sandbox', 'stripe', 'manual')),
  instrument text,
  gathered_at timestamptz,
  confirmed_by text,
  confirmed_at timestamptz,
  sent_at timestamptz,
  asked_at timestamptz,
  provider_id text,
  failure_code text,
  failure_message text,
  ended_at timestamptz,
  returned_at timestamptz,
  -- When every store of it knew how it ended; null again when it comes back.
  told_at timestamptz,
  primary key (creator_id, payout_id),
  check ((state in ('gathering', 'given_up')) = (amount_cents is null)),
  check ((amount_cents is null) = (gathered_at is null) and (amount_cents is null) = (instrument is null)),
  check ((instrument is null) = (provider is null) and (instrument is null) = (payout_method_id is null)),
  check (state not in ('sending', 'unknown', 'paid', 'returned') or (sent_at is not null and asked_at is not null)),
  check ((state in ('given_up', 'paid', 'failed', 'returned')) = (ended_at is not null)),
  check ((state = 'returned') = (returned_at is not null)),
  check ((state in ('failed', 'returned')) = (failure_code is not null)),
  check (told_at is null or ended_at is not null)
);
create unique index payout_unfinished on payouts (creator_id)
  where state in ('gathering', 'awaiting_second', 'ready', 'sending', 'unknown');
-- What somebody has to go on with: nearly nothing.
create index payouts_open on payouts (creator_id, payout_id) where told_at is null;

-- What it pays, for ever: a payout that came back still says what it was.
create table payout_lines (
  creator_id uuid not null,
  payout_id uuid not null,
  store_id uuid not null,
  commission_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (creator_id, payout_id, store_id, commission_id)
);

-- The stores whose commissions it gathers, named when it is begun, and what each was told last.
create table payout_stores (
  creator_id uuid not null,
  payout_id uuid not null,
  store_id uuid not null,
  amount_cents bigint check (amount_cents > 0),
  told text check (told in ('paid', 'released')),
  primary key (creator_id, payout_id, store_id)
);

-- The store's own side of gathering: once closed, nobody who comes late puts a commission into that payout.
create table payout_gates (
  store_id uuid not null,
  payout_id uuid not null,
  is_closed boolean not null,
  primary key (store_id, payout_id)
);

-- Which creator a payout's id means: an operator and a provider have nothing else. And which payouts a run made.
create table payout_directory (
  payout_id uuid primary key,
  creator_id uuid not null,
  payout_run_id uuid not null
);
create index payouts_of_run on payout_directory (payout_run_id, payout_id);

-- A run that an operator asked for, and what it was answered with. Those of the calendar are in no table: nobody waits for them.
create table payout_runs (
  payout_run_id uuid primary key,
  -- One creator only, where one was named.
  asked_for uuid,
  minimum_cents bigint check (minimum_cents >= 0),
  is_dry boolean not null,
  started_by text not null,
  started_by_name text not null,
  started_by_user_id uuid,
  at timestamptz not null,
  -- Who carries it out has it until then, by real time.
  claimed_until timestamptz,
  ended_at timestamptz,
  result jsonb,
  check ((ended_at is null) = (result is null))
);

create table payout_settings (
  singleton boolean primary key check (singleton),
  minimum_cents bigint not null check (minimum_cents between 0 and 10000),
  -- Above this a second person confirms; null: never.
  second_person_above_cents bigint check (second_person_above_cents >= 0)
);
insert into payout_settings (singleton, minimum_cents, second_person_above_cents) values (true, 2500, null);

-- A creator may want to be paid less often.
alter table creators add column payout_minimum_cents bigint check (payout_minimum_cents between 0 and 100000000);
-- What may be shown of a destination that is sealed.
alter table payout_methods add column last4 text;

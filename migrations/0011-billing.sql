-- What a store is charged: invoices of its commissions, the charges they are paid by, and what takes an invoice back.

-- The operator's settings. Without a row the defaults hold.
create table billing_settings (
  singleton boolean primary key check (singleton),
  fee_basis_points int not null check (fee_basis_points between 0 and 10000),
  minimum_cents bigint not null check (minimum_cents >= 0),
  early_cents bigint not null check (early_cents > 0),
  changed_at timestamptz not null
);

-- One row of a store that was ever billed. Its lock is what counts invoices without a gap and spends credit once.
create table store_billing (
  store_id uuid primary key references stores,
  next_invoice_number bigint not null check (next_invoice_number > 0),
  next_credit_note_number bigint not null check (next_credit_note_number > 0),
  -- The archiving that was billed without minimum: a store that comes back and is archived again is billed once more.
  archiving_billed_at timestamptz,
  -- Its creators are being told that it is past due, and who was told last. Null: nobody is to be told.
  telling_since timestamptz,
  telling_after uuid
);
create index store_billing_telling on store_billing (store_id) where telling_since is not null;

create table invoices (
  store_id uuid not null references stores,
  invoice_id uuid not null,
  state text not null check (
    state in ('gathering', 'issued', 'charging', 'unknown', 'paid', 'retrying', 'past_due', 'void', 'charged_back')),
  began_at timestamptz not null,
  -- Fixed when it is issued, and never changed: what is taken back is a credit note.
  number bigint,
  issued_at timestamptz,
  lines_count int,
  lines_cents bigint,
  fee_basis_points int,
  fee_cents bigint,
  credit_cents bigint,
  total_cents bigint,
  -- Its life. Null: nothing is charged by itself, until the payment method is mended.
  next_charge_at timestamptz,
  failures int not null default 0,
  first_failed_at timestamptz,
  is_backup_tried boolean not null default false,
  written_off_cents bigint not null default 0 check (written_off_cents >= 0),
  paid_at timestamptz,
  -- Every commission of it is collected. A death in between leaves it null, and the next job goes on.
  collected_at timestamptz,
  past_due_at timestamptz,
  charged_back_at timestamptz,
  voided_at timestamptz,
  primary key (store_id, invoice_id),
  unique (store_id, number),
  check ((state = 'gathering') = (number is null)),
  check ((number is null) = (issued_at is null and lines_count is null and lines_cents is null and fee_basis_points is null
    and fee_cents is null and credit_cents is null and total_cents is null)),
  check (lines_cents > 0 and lines_count > 0 and fee_cents >= 0 and credit_cents >= 0 and total_cents >= 0),
  check (total_cents = lines_cents + fee_cents - credit_cents),
  check ((state = 'paid') = (paid_at is not null)),
  check (collected_at is null or state = 'paid'),
  check (state <> 'charged_back' or charged_back_at is not null),
  check ((state = 'void') = (voided_at is not null))
);
-- Two runs at once gather into one and the same.
create unique index invoice_gathering on invoices (store_id) where state = 'gathering';
create index invoices_to_charge on invoices (store_id, next_charge_at) where next_charge_at is not null;
create index invoices_to_collect on invoices (store_id, invoice_id) where state = 'paid' and collected_at is null;
create index invoices_under_way on invoices (store_id, invoice_id) where state in ('charging', 'unknown');
create index invoices_unpaid on invoices (store_id, invoice_id) where state in ('past_due', 'charged_back');

-- Never changed either. A commission stands on one bill: what is voided is reversed, and never billed again.
create table invoice_lines (
  store_id uuid not null,
  commission_id uuid not null,
  invoice_id uuid not null,
  -- The transaction that gathered it, which is the source of its transfers.
  part_id uuid not null,
  creator_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  primary key (store_id, commission_id),
  foreign key (store_id, invoice_id) references invoices
);
create index invoice_lines_of_invoice on invoice_lines (store_id, invoice_id, commission_id);

-- A charge is written down before it is made.
create table charges (
  store_id uuid not null,
  charge_id uuid not null,
  invoice_id uuid not null,
  state text not null check (state in ('ready', 'sending', 'pending', 'unknown', 'succeeded', 'declined', 'absent')),
  amount_cents bigint not null check (amount_cents > 0),
  payment_method_id uuid not null,
  provider text not null check (provider in ('sandbox', 'stripe')),
  instrument text not null,
  description text not null,
  is_backup boolean not null,
  -- What the invoice was before it, and is again where nothing came of it.
  invoice_was text not null check (invoice_was in ('issued', 'retrying', 'past_due', 'charged_back')),
  made_at timestamptz not null,
  -- The last call. Null: none was made.
  called_at timestamptz,
  provider_id text,
  code text,
  message text,
  ended_at timestamptz,
  primary key (store_id, charge_id),
  foreign key (store_id, invoice_id) references invoices,
  check ((state = 'ready') = (called_at is null)),
  check ((state in ('succeeded', 'declined', 'absent')) = (ended_at is not null))
);
create unique index charge_under_way on charges (store_id, invoice_id) where state in ('ready', 'sending', 'pending', 'unknown');
create index charges_under_way on charges (store_id, charge_id) where state in ('ready', 'sending', 'pending', 'unknown');
create index charges_of_invoice on charges (store_id, invoice_id, charge_id);

-- Whose a charge is: a provider's news names nothing but it.
create table charge_references (
  charge_id uuid primary key,
  store_id uuid not null
);

create table disputes (
  store_id uuid not null,
  dispute_id uuid not null,
  charge_id uuid not null,
  invoice_id uuid not null,
  news_id text not null,
  why text not null,
  lost_at timestamptz not null,
  at timestamptz not null,
  -- Every commission of the invoice went back, or is advanced.
  undone_at timestamptz,
  primary key (store_id, dispute_id),
  -- A charge is taken back once, however often and by whatever news it is told.
  unique (store_id, charge_id),
  foreign key (store_id, charge_id) references charges
);
create index disputes_to_undo on disputes (store_id, dispute_id) where undone_at is null;

create table credit_notes (
  store_id uuid not null,
  credit_note_id uuid not null,
  invoice_id uuid not null,
  number bigint not null,
  -- `before` it was collected less is owed; `after` that the store has it back on its next bills.
  kind text not null check (kind in ('before', 'after')),
  reason text not null,
  lines_cents bigint not null check (lines_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  -- Credit that the invoice had used and needs no more.
  credit_cents bigint not null check (credit_cents >= 0),
  made_by text not null,
  made_by_name text not null,
  at timestamptz not null,
  primary key (store_id, credit_note_id),
  unique (store_id, number),
  foreign key (store_id, invoice_id) references invoices,
  check (kind = 'before' or credit_cents = 0)
);
create index credit_notes_of_invoice on credit_notes (store_id, invoice_id);

create table credit_note_lines (
  store_id uuid not null,
  commission_id uuid not null,
  credit_note_id uuid not null,
  creator_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  -- The creator keeps it; the operator bears it.
  is_borne boolean not null,
  primary key (store_id, commission_id),
  foreign key (store_id, credit_note_id) references credit_notes
);
create index credit_note_lines_of_note on credit_note_lines (store_id, credit_note_id, commission_id);

-- What an operator asked for, and what came of it. The installation's own, across stores.
create table billing_runs (
  billing_run_id uuid primary key,
  asked_store_id uuid,
  minimum_cents bigint,
  is_dry boolean not null,
  asked_by text not null,
  asked_by_name text not null,
  at timestamptz not null,
  -- Who carries it out has it until then, by real time; sent again meanwhile, it is waited for.
  claimed_until timestamptz,
  -- Null: it is at work, or it died; then what it left is gone on with by the jobs.
  ended_at timestamptz,
  result jsonb,
  check ((ended_at is null) = (result is null))
);

-- A second way to pay, tried first when the first one was declined.
alter table payment_methods add column is_backup boolean not null default false;
drop index payment_method_in_use;
create unique index payment_method_in_use on payment_methods (store_id, is_backup) where replaced_at is null;

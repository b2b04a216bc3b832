-- Who confirmed a payout above the limit. Only people confirm; whether each one still counts is decided when it is sent.
create table payout_confirmations (
  creator_id uuid not null,
  payout_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  primary key (creator_id, payout_id, user_id)
);

-- Null in second_person_above_cents is the default of the mode, unless two people decided that no payout needs a second person.
alter table payout_settings add column has_no_limit boolean not null default false;

-- Since when somebody is an operator, from when on they may agree to what needs two, and who invited them. Null: since before this.
alter table users
  add column operator_since timestamptz,
  add column operator_established_at timestamptz,
  add column operator_invited_by uuid;

-- A new operator joins by an invitation that another operator approves, before or after the person accepts it.
alter table invitations
  add column approved_by uuid,
  add column approved_at timestamptz,
  add column joined_user_id uuid;

-- Whether the rules for new operators hold in the sandbox, and when the last operator left.
create table operator_rules (
  singleton boolean primary key check (singleton),
  in_sandbox boolean not null default false,
  last_left_at timestamptz
);
insert into operator_rules (singleton) values (true);

-- The person who set where to pay: nobody confirms a payout to an account that they chose.
alter table payout_methods add column set_by_user_id uuid;

-- A higher fee is asked for by one person, agreed to by another, announced, and in force from then on.
alter table billing_settings
  add column next_fee_basis_points integer check (next_fee_basis_points between 0 and 10000),
  add column next_fee_from timestamptz,
  add column asked_fee_basis_points integer check (asked_fee_basis_points between 0 and 10000),
  add column asked_at timestamptz,
  add column asked_by text,
  add column asked_by_name text,
  add column asked_by_user_id uuid;

-- A person changes their e-mail address: asked for, confirmed from the new mailbox, and for some days undone from the old one.
-- Rows stay with the account, so that its mails to former addresses are erased with it.
create table email_changes (
  email_change_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  former_email text not null,
  email text not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  confirm_hash bytea not null unique,
  confirmed_at timestamptz,
  undo_hash bytea unique,
  undo_until timestamptz,
  undone_at timestamptz
);
create index email_changes_of_user on email_changes (user_id, asked_at);

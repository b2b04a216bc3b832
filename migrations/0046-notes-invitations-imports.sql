-- What the people of a store write down about a creator. The creator never sees it.
create table creator_notes (
  store_id uuid not null,
  note_id uuid not null,
  creator_id uuid not null,
  text text not null,
  -- Like the actor of an audit entry: user_…, key_…, or system for a note that an import brought.
  author text not null,
  author_name text not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (store_id, note_id)
);
create index creator_notes_of_creator on creator_notes (store_id, creator_id, note_id);

-- Invitations of creators to programs. Not spread: people find the invitations to their address, of whatever store. Times are real time.
create table program_invitations (
  invitation_id uuid primary key,
  store_id uuid not null,
  program_id uuid not null,
  email text not null,
  creator_name text,
  -- The merchant's words in the email, and the note that is added to the creator's notes when the creator accepts.
  message text,
  note text,
  state text not null check (state in ('open', 'accepted', 'declined', 'revoked')),
  made_at timestamptz not null,
  made_by text not null,
  made_by_name text not null,
  sent_at timestamptz not null,
  sends integer not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  mail_id uuid,
  creator_id uuid
);
create unique index program_invitations_open on program_invitations (store_id, program_id, email) where state = 'open';
create index program_invitations_of_store on program_invitations (store_id, invitation_id);
create index program_invitations_sent on program_invitations (store_id, sent_at);
create index program_invitations_to on program_invitations (email, invitation_id);

-- Imports of creators from a file. The rows are stored, so that a page or process that ends loses nothing.
create table creator_imports (
  store_id uuid not null,
  import_id uuid not null,
  file_name text not null,
  headers jsonb not null,
  -- Which column of the file has the email, the name, the program, and the note.
  columns jsonb not null,
  -- The program of rows that name none.
  program_id uuid,
  message text,
  language text not null,
  state text not null check (state in ('draft', 'running', 'done', 'cancelled')),
  made_at timestamptz not null,
  made_by text not null,
  made_by_name text not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (store_id, import_id)
);
create index creator_imports_running on creator_imports (store_id, import_id) where state = 'running';

create table creator_import_rows (
  store_id uuid not null,
  import_id uuid not null,
  line integer not null,
  cells jsonb not null,
  email text,
  creator_name text,
  program_id uuid,
  note text,
  state text not null check (state in ('ready', 'invalid', 'invited', 'skipped')),
  -- Why a row is invalid or was skipped.
  reason text,
  invitation_id uuid,
  primary key (store_id, import_id, line),
  foreign key (store_id, import_id) references creator_imports on delete cascade
);
create index creator_import_rows_of_state on creator_import_rows (store_id, import_id, state, line);

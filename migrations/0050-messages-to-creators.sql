-- Messages of a store to its creators, by email. Times are real time.
create table creator_messages (
  store_id uuid not null,
  message_id uuid not null,
  subject text not null,
  -- Plain text with a part of Markdown.
  body text not null,
  program_id uuid,
  made_at timestamptz not null,
  made_by text not null,
  made_by_name text not null,
  sent_at timestamptz,
  primary key (store_id, message_id)
);
create index creator_messages_unsent on creator_messages (store_id, message_id) where sent_at is null;

create table creator_message_recipients (
  store_id uuid not null,
  message_id uuid not null,
  creator_id uuid not null,
  state text not null check (state in ('waiting', 'sent', 'unsubscribed')),
  primary key (store_id, message_id, creator_id),
  foreign key (store_id, message_id) references creator_messages on delete cascade
);

-- Stores from which a creator wants no messages.
create table creator_unsubscribes (
  creator_id uuid not null,
  store_id uuid not null,
  at timestamptz not null,
  primary key (creator_id, store_id)
);

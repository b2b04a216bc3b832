-- An email to a person with an account also appears in the dashboards, unless it has a one-time link. Its text stays sealed, because it
-- may name other people. The path is the page that its button opens. A new column has to be nullable: the previous version writes
-- emails without it.
alter table mails add column user_id uuid;
alter table mails add column inbox_path text;
alter table mails add column read_at timestamptz;
create index mails_in_inbox on mails (user_id, mail_id) where user_id is not null;
create index mails_unread on mails (user_id) where user_id is not null and read_at is null;

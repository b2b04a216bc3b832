-- What a program asks creators who apply, and what they answered, each answer with its question as it was asked.
alter table programs add column questions jsonb not null default '[]';
alter table members add column answers jsonb not null default '[]';

-- The language of emails to a person. Accounts that exist get English, in which all their emails were written so far.
alter table users add column language text not null default 'en';

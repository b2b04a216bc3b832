-- The messages that a creator received from a store, newest first.
create index creator_message_recipients_of_creator on creator_message_recipients (store_id, creator_id, message_id);

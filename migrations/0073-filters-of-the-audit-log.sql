-- Each in the order of the list, because IDs grow with time.
create index audit_log_by_actor on audit_log (actor, audit_entry_id);
create index audit_log_by_action on audit_log (action, audit_entry_id);
create index audit_log_of_store_by_actor on audit_log (store_id, actor, audit_entry_id) where store_id is not null;
create index audit_log_of_store_by_action on audit_log (store_id, action, audit_entry_id) where store_id is not null;

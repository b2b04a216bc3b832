-- A line of a statement names the postback that it stands on. Of a subscription that is the report of the payment, or of its refund.
create index subscription_events_by_record on subscription_events (store_id, recorded_event_id) where recorded_event_id is not null;
create index invoices_by_commission on relationship_invoices (store_id, commission_id) where commission_id is not null;

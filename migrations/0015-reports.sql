-- What a statement looks up: the order or invoice behind a fact of the ledger.
create index order_reversals_by_id on order_reversals (store_id, reversal_id);
create index invoices_by_payment on relationship_invoices (store_id, paid_event_id) where paid_event_id is not null;
create index invoices_by_reversal on relationship_invoices (store_id, reversal_event_id) where reversal_event_id is not null;
create index invoice_lines_of_part on invoice_lines (store_id, part_id);

-- Which invoice a part belongs to: parts are the sources of the transfers that move an invoice's commissions on.
create table invoice_parts (
  store_id uuid not null,
  part_id uuid not null,
  invoice_id uuid not null,
  primary key (store_id, part_id)
);

-- Spreads the tables over a Citus cluster: a store's by store_id, a creator's by creator_id, each group together, so that one
-- store stands on one machine. Directories of keys and links have a copy on every node; the other small tables stay on the coordinator.
-- Run by `npm run cli -- distribute`, which leaves out what is spread already and puts the foreign keys back afterwards.
-- test/house-distribute.test.ts holds that no table is missing here.

-- Directories that every node needs for each click and postback, and that change rarely: every node has a copy.
select create_reference_table('tracking_keys');
select create_reference_table('link_codes');
select create_reference_table('signing_keys');

select create_distributed_table('stores', 'store_id', colocate_with => 'none');
select create_distributed_table('postback_keys', 'store_id', colocate_with => 'stores');
select create_distributed_table('payment_methods', 'store_id', colocate_with => 'stores');
select create_distributed_table('programs', 'store_id', colocate_with => 'stores');
select create_distributed_table('terms', 'store_id', colocate_with => 'stores');
select create_distributed_table('members', 'store_id', colocate_with => 'stores');
select create_distributed_table('links', 'store_id', colocate_with => 'stores');
select create_distributed_table('clicks', 'store_id', colocate_with => 'stores');
select create_distributed_table('link_days', 'store_id', colocate_with => 'stores');
select create_distributed_table('transfers', 'store_id', colocate_with => 'stores');
select create_distributed_table('balances', 'store_id', colocate_with => 'stores');
select create_distributed_table('commissions', 'store_id', colocate_with => 'stores');
select create_distributed_table('click_claims', 'store_id', colocate_with => 'stores');
select create_distributed_table('orders', 'store_id', colocate_with => 'stores');
select create_distributed_table('order_reversals', 'store_id', colocate_with => 'stores');
select create_distributed_table('early_reversals', 'store_id', colocate_with => 'stores');
select create_distributed_table('test_orders', 'store_id', colocate_with => 'stores');
select create_distributed_table('test_links', 'store_id', colocate_with => 'stores');
select create_distributed_table('postback_log', 'store_id', colocate_with => 'stores');
select create_distributed_table('subscription_events', 'store_id', colocate_with => 'stores');
select create_distributed_table('relationships', 'store_id', colocate_with => 'stores');
select create_distributed_table('relationship_invoices', 'store_id', colocate_with => 'stores');
select create_distributed_table('early_invoice_reversals', 'store_id', colocate_with => 'stores');
select create_distributed_table('decisions', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_outbox', 'store_id', colocate_with => 'stores');
select create_distributed_table('store_billing', 'store_id', colocate_with => 'stores');
select create_distributed_table('invoices', 'store_id', colocate_with => 'stores');
select create_distributed_table('invoice_lines', 'store_id', colocate_with => 'stores');
select create_distributed_table('charges', 'store_id', colocate_with => 'stores');
select create_distributed_table('disputes', 'store_id', colocate_with => 'stores');
select create_distributed_table('credit_notes', 'store_id', colocate_with => 'stores');
select create_distributed_table('credit_note_lines', 'store_id', colocate_with => 'stores');
select create_distributed_table('payout_gates', 'store_id', colocate_with => 'stores');
select create_distributed_table('store_days', 'store_id', colocate_with => 'stores');
select create_distributed_table('integration_checks', 'store_id', colocate_with => 'stores');
select create_distributed_table('invoice_parts', 'store_id', colocate_with => 'stores');
select create_distributed_table('event_listeners', 'store_id', colocate_with => 'stores');
select create_distributed_table('store_events', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_endpoints', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_secrets', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_events', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_deliveries', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_attempts', 'store_id', colocate_with => 'stores');
select create_distributed_table('webhook_marks', 'store_id', colocate_with => 'stores');
select create_distributed_table('commission_disputes', 'store_id', colocate_with => 'stores');
select create_distributed_table('store_mails_off', 'store_id', colocate_with => 'stores');
select create_distributed_table('suspended_creators', 'store_id', colocate_with => 'stores');
select create_distributed_table('refused_orders', 'store_id', colocate_with => 'stores');
select create_distributed_table('store_reserves', 'store_id', colocate_with => 'stores');
select create_distributed_table('payout_holds', 'store_id', colocate_with => 'stores');
select create_distributed_table('charge_warnings', 'store_id', colocate_with => 'stores');
select create_distributed_table('charge_losses', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_notes', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_imports', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_import_rows', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_messages', 'store_id', colocate_with => 'stores');
select create_distributed_table('creator_message_recipients', 'store_id', colocate_with => 'stores');

select create_distributed_table('creators', 'creator_id', colocate_with => 'none');
select create_distributed_table('payout_methods', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_unsubscribes', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_transfers', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_balances', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_entries', 'creator_id', colocate_with => 'creators');
select create_distributed_table('earnings', 'creator_id', colocate_with => 'creators');
select create_distributed_table('payouts', 'creator_id', colocate_with => 'creators');
select create_distributed_table('payout_lines', 'creator_id', colocate_with => 'creators');
select create_distributed_table('payout_stores', 'creator_id', colocate_with => 'creators');
select create_distributed_table('payout_confirmations', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_stores', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_tax', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_mails_off', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_digests', 'creator_id', colocate_with => 'creators');
select create_distributed_table('stripe_accounts', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_suspensions', 'creator_id', colocate_with => 'creators');
select create_distributed_table('creator_holds', 'creator_id', colocate_with => 'creators');

/**
 * The next step for each reason, for developers of the store's server. The explanation of the answer says what happened. A test
 * compares the keys with the table of reasons.
 */
export const postbackAdvice: Readonly<Record<string, string>> = {
  bad_request: 'Look how your server writes the request: most HTTP libraries do this right by themselves, so use one.',
  headers_too_large: 'Send only the headers that are needed. Often a whole set of cookies travels along by mistake.',
  not_found: 'Copy the address from the Integration page again, letter by letter, without a slash at its end.',
  method_not_allowed: 'Send the report with POST, also if a redirect turned it into a GET on its way.',
  temporarily_unavailable: 'Send the same body again in a few seconds, then with longer pauses. Nothing was lost or recorded twice.',
  missing_postback_key: 'Send the key in the header “Authorization: Bearer …”. Make one on the Integration page if you have none.',
  invalid_postback_key:
    'Compare the key and the tracking key in the address with those on the Integration page: often one of them is of another store, or the key was revoked.',
  store_archived: 'Unarchive the store if it is still in use; else stop the reports of its server.',
  integration_disabled: 'Enable the integration on the Integration page, then send what was refused meanwhile once more.',
  payload_too_large: 'Send less: metadata and line items are the usual reason. The limit is 16 KiB.',
  json_required: 'Send the body as JSON in UTF-8 with “Content-Type: application/json”, not as a form, and not compressed.',
  invalid_payload:
    'Mend the field that the answer names; the body below is what arrived. Then send it once more, for nothing was recorded.',
  unexpected_click_id: 'Leave click_id out of invoices. It was given once, when the subscription was bound, and stays with it.',
  duplicate_order: 'Nothing to do. A report that is sent twice is recorded once.',
  duplicate_order_conflict:
    'Look why your server reports one order with two contents: a price that is looked up anew at each try, or an order ID that is used again. The first report stands.',
  duplicate_event:
    'Stop sending this event: it was refused before, and never succeeds. Look for the first refusal of the same event_id to see why.',
  duplicate_event_conflict: 'Give each event its own event_id, and send the same bytes at every try. The first report stands.',
  missing_referral_click:
    'If the visit came through a creator, look whether the click was stored with the order; the script’s cookie may have been lost at the checkout. Orders without a creator need no report.',
  unsupported_pricing_currency: 'Nothing to do for this order: only orders in USD earn. Leave orders in other currencies out.',
  invalid_occurred_at:
    'Send the time at which the order was paid, in UTC with a Z or with an offset, and look at your server’s clock. A report that is days late is too old at some point.',
  unknown_referral_click:
    'Send the click ID exactly as it stands in rm_click, and to the store that it was made for. Click IDs of a test system are unknown here.',
  unknown_order: 'Report the order first, then its refund; or look whether order_id is written the same way both times.',
  unknown_relationship: 'Bind the subscription first; or look whether relationship_id is written the same way each time.',
  environment_mismatch: 'Use live clicks for live subscriptions, and clicks of test links for test ones.',
  unknown_invoice: 'Report the invoice first, then its refund; or look whether invoice_id is written the same way both times.',
  test_click_required: 'Open a test link first and take its click. Leave “test” out of the report if this was a real order.',
  test_click_not_allowed:
    'Add “test”: true for an order of the test link. For a real order look why the click of a test link was still stored.',
  test_link_expired: 'Make a new test link on the Integration page, open it, and order again.',
  test_verified: 'Nothing to do: the integration works, and tracking is on.',
  pricing_history_unavailable: 'Send the same body again in a few seconds. Nothing was kept of this try.',
  duplicate_relationship_conflict:
    'Look why the subscription is bound twice with other content. The first bind stands; a change of plan is told by its invoices.',
  relationship_ended: 'Nothing to do if the customer cancelled. For a new subscription of the same customer use a new relationship_id.',
  order_precedes_click: 'Look at your server’s clock, and whether the click of a later visit was stored with an earlier order.',
  attribution_window_expired:
    'Nothing to do: the order came too late after the click to earn. A longer window can be set in the program, for orders from then on.',
  referral_click_already_converted:
    'Store the click of each visit anew, and forget it once an order was reported with it: one click backs one order.',
  active_hold: 'Send the refund once a day. It succeeds when the dispute or the review is decided.',
  paid_conversion_not_auto_reversed: 'Ask support for a credit note: the commission stands on a bill already.',
  no_matching_subscription_rule:
    'If this product should earn, add a rule for it to the program’s terms. It counts for subscriptions that begin afterwards; this one stays without.',
  recorded: 'Nothing to do.',
};

/** Advice for warnings that need action now. All other warnings explain themselves in their message. */
export const warningAdvice: Readonly<Record<string, readonly string[]>> = {
  key_in_body: [
    'Treat the key as leaked: other systems that saw the body (your logs, a queue, an error tracker) may hold it unmasked.',
    'Remove the key from the body that your server builds. A postback key belongs in the Authorization header only.',
    'Create a new key, put it into your server, and then revoke the old one. Two postback keys can work at once, so no postback is lost.',
  ],
  key_in_browser: [
    'Treat the key as leaked: anyone who opens that page can read it.',
    'Send postbacks from your server, never from a page.',
    'Create a new key, put it into your server, and then revoke the old one.',
  ],
};

import { model } from '@medusajs/framework/utils';

/** One row: the store that the API key belongs to, and the plugin's own postback key. */
export const TributaryConnection = model.define('tributary_connection', {
  id: model.text().primaryKey(),
  url: model.text(),
  store_id: model.text(),
  store_name: model.text(),
  tracking_key: model.text(),
  postback_key_id: model.text(),
  /** Sealed with the API key: a copy of the database alone can report nothing. */
  sealed_postback_key: model.text(),
  /** Orders that were paid, refunded, or canceled until then are reported. */
  checked_until: model.dateTime(),
});

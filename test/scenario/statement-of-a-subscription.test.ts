import { expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { openSharedMerchant, type Json } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';

const merchant = await openSharedMerchant();
const subscriber = subscriberOf(merchant);
await subscriber.bind();

const linesOf = async (): Promise<readonly Json[]> => {
  const period = merchant.at().slice(0, 7);
  return (await merchant.api('GET', `/stores/${merchant.world.store.id}/statement?period=${period}&limit=200`)).json.lines;
};

test('a payment line names the postback that reported it as paid, and a refund line the postback of the refund', async () => {
  await subscriber.reportInvoice({ event_id: 'reported open', invoice_id: 'may', payment_state: 'open' });
  await subscriber.reportInvoice({ event_id: 'reported paid', invoice_id: 'may' });
  await subscriber.refund({ event_id: 'reported refunded', invoice_id: 'may' });
  const lines = await linesOf();
  for (const { what, eventId } of [
    { what: 'Subscription invoice paid', eventId: 'reported paid' },
    { what: 'Refunded', eventId: 'reported refunded' },
  ]) {
    const line = lines.find((one) => one.what === what && one.subscription_invoice_id === 'may');
    expect(line.postback_id).toBe(publicId('post', (await merchant.logEntryOf(eventId)).postbackId));
  }
});

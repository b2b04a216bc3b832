import { openTestLink } from '@tributary/node/plugin-connection';
import { untilAccepted } from '@tributary/node/plugin-reports';
import { randomBytes } from 'node:crypto';
import type { VendureOrder } from './order-reports.ts';
import { addReports } from './report-orders.ts';
import type { Tributary } from './tributary.ts';

const amountCents = 1_000;
const suffixBytes = 6;

/**
 * Reports an order with a test click, and its refund. The order is not stored in Vendure, so it takes no stock and sends no email; its
 * reports take the way of all others.
 */
export async function runTestOrder(tributary: Tributary): Promise<string> {
  const clickId = await openTestLink(await tributary.connection.connect());
  const paid = testOrder(clickId, new Date());
  const { code } = paid;
  try {
    const reason = await report(tributary, paid, 'conversion');
    const refund = { id: 'refund', amountCents, settledAt: new Date().toISOString(), lines: [] };
    await report(tributary, { ...paid, refunds: [refund] }, 'reversal');
    return reason;
  } finally {
    await tributary.sql('delete from tributary_report where order_id = ?', [code]);
  }
}

async function report(tributary: Tributary, order: VendureOrder, operation: string): Promise<string> {
  await addReports(tributary, order);
  return untilAccepted(tributary.sql, tributary.queue, { orderId: order.code, operation });
}

const testOrder = (clickId: string, at: Date): VendureOrder => ({
  code: `TEST-${randomBytes(suffixBytes).toString('hex').toUpperCase()}`,
  type: 'Regular',
  canceledAt: null,
  currencyCode: 'USD',
  totalWithTaxCents: amountCents,
  reductionCents: 0,
  customerId: null,
  country: null,
  clickId,
  couponCodes: [],
  namesCreator: false,
  lines: [{ id: 'line', productId: 'test-product', quantity: 1, amountCents, taxRate: 0 }],
  payments: [{ id: 'payment', amountCents, settledAt: at.toISOString() }],
  refunds: [],
});

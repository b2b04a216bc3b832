import type { MedusaContainer } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, MedusaError, Modules } from '@medusajs/framework/utils';
import { openTestLink } from '@tributary/node/plugin-connection';
import { untilAccepted } from '@tributary/node/plugin-reports';
import { clickField } from '../reports/order-reports.ts';
import { reportOrderWorkflow } from './report-order.ts';
import { tributaryOf } from '../modules/tributary/resolve.ts';

const amount = 10;

type Made = { readonly orderId: string; readonly collectionId: string; readonly paymentId: string };

/**
 * Creates an order with a test click, captures and refunds its payment, and deletes it. The reports take the way of every other order. No
 * event is emitted, so that other plugins send no email about it.
 */
export async function runTestOrder(container: MedusaContainer): Promise<string> {
  const made = await createTestOrder(container, await openTestLink(await tributaryOf(container).connection.connect()));
  try {
    const reason = await report(container, made.orderId, 'conversion');
    await container.resolve(Modules.PAYMENT).refundPayment({ payment_id: made.paymentId, amount });
    await report(container, made.orderId, 'reversal');
    return reason;
  } finally {
    await remove(container, made);
  }
}

async function createTestOrder(container: MedusaContainer, click: string): Promise<Made> {
  const payments = container.resolve(Modules.PAYMENT);
  const order = await container.resolve(Modules.ORDER).createOrders({
    currency_code: 'usd',
    email: 'test-order@example.com',
    no_notification: true,
    metadata: { [clickField]: click },
    items: [{ title: 'Test product', unit_price: amount, quantity: 1 }],
  });
  const collection = await payments.createPaymentCollections({ currency_code: 'usd', amount });
  await container.resolve(ContainerRegistrationKeys.LINK).create(linkOf(order.id, collection.id));
  const session = await payments.createPaymentSession(collection.id, {
    provider_id: 'pp_system_default',
    currency_code: 'usd',
    amount,
    data: {},
  });
  const payment = await payments.authorizePaymentSession(session.id, {});
  if (payment === null) throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, 'The payment of the test order was not authorized.');
  await payments.capturePayment({ payment_id: payment.id, amount });
  return { orderId: order.id, collectionId: collection.id, paymentId: payment.id };
}

async function report(container: MedusaContainer, orderId: string, operation: string): Promise<string> {
  const { queue, sql } = tributaryOf(container);
  await reportOrderWorkflow(container).run({ input: { order_id: orderId } });
  return untilAccepted(sql, queue, { orderId, operation });
}

const linkOf = (orderId: string, collectionId: string) => ({
  [Modules.ORDER]: { order_id: orderId },
  [Modules.PAYMENT]: { payment_collection_id: collectionId },
});

async function remove(container: MedusaContainer, { orderId, collectionId }: Made): Promise<void> {
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(linkOf(orderId, collectionId));
  await container.resolve(Modules.PAYMENT).deletePaymentCollections([collectionId]);
  await container.resolve(Modules.ORDER).deleteOrders([orderId]);
  const { sql } = tributaryOf(container);
  await sql('delete from tributary_report where order_id = ?', [orderId]);
  // Medusa only marks a dismissed link as deleted.
  await sql('delete from order_payment_collection where order_id = ?', [orderId]);
}

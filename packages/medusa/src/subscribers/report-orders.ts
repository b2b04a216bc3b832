import type { SubscriberArgs, SubscriberConfig } from '@medusajs/framework';
import { reportOrderWorkflow } from '../workflows/report-order.ts';
import { queryOf } from '../modules/tributary/resolve.ts';

export const config: SubscriberConfig = {
  event: ['order.placed', 'order.canceled', 'payment.captured', 'payment.refunded'],
  context: { subscriberId: 'tributary-report-orders' },
};

export default async function reportOrder({ event, container }: SubscriberArgs<{ readonly id: string }>): Promise<void> {
  const orderId = event.name.startsWith('order.') ? event.data.id : await orderOfPayment(event.data.id);
  if (orderId !== null) await reportOrderWorkflow(container).run({ input: { order_id: orderId } });

  /** Null if the payment was captured before the order exists: `order.placed` follows. */
  async function orderOfPayment(id: string): Promise<string | null> {
    const { data } = await queryOf(container).graph({ entity: 'payment', fields: ['payment_collection.order.id'], filters: { id } });
    const [payment] = data as ReadonlyArray<{ readonly payment_collection?: { readonly order?: { readonly id: string } | null } | null }>;
    return payment?.payment_collection?.order?.id ?? null;
  }
}

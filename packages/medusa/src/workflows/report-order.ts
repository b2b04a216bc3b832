import type { MedusaContainer } from '@medusajs/framework/types';
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from '@medusajs/framework/workflows-sdk';
import { conversionOfOrder } from '@tributary/node/plugin-reports';
import type { TributaryModuleService } from '../modules/tributary/service.ts';
import { mayNameCreator, reportsOf, type MedusaOrder, type Report } from '../reports/order-reports.ts';
import { orderFields } from '../reports/order-fields.ts';
import { queryOf, tributaryOf } from '../modules/tributary/resolve.ts';
import { syncCodes } from './sync-codes.ts';

type Input = { readonly order_id: string };

const addReportsStep = createStep('tributary-add-reports', async ({ order_id: orderId }: Input, { container }) => {
  return new StepResponse(await addReports(container, orderId));
});

/** Adds to the queue what was not reported yet about an order. It is safe to run at any time and any number of times. */
export const reportOrderWorkflow = createWorkflow('tributary-report-order', (input: Input) => new WorkflowResponse(addReportsStep(input)));

async function addReports(container: MedusaContainer, orderId: string): Promise<number> {
  const tributary = tributaryOf(container);
  let order = await loadOrder(container, orderId);
  // The code of a creator may be newer than the last look at the codes.
  if (order !== null && mayNameCreator(order) && tributary.areCodesOld()) {
    await syncCodes(container);
    order = await loadOrder(container, orderId);
  }
  if (order === null) return 0;
  const { everyOrder = false } = tributary.options;
  let added = 0;
  for (const report of reportsOf(order, { everyOrder, recordedCents: await recordedCents(tributary, orderId) })) {
    const { is } = await add(tributary, report);
    if (is === 'added') added += 1;
  }
  return added;
}

async function loadOrder(container: MedusaContainer, orderId: string): Promise<MedusaOrder | null> {
  const { data } = await queryOf(container).graph({ entity: 'order', fields: orderFields, filters: { id: orderId } });
  return (data[0] as MedusaOrder | undefined) ?? null;
}

function add({ queue: { conversions } }: TributaryModuleService, { operation, fields }: Report) {
  if (operation === 'conversion') return conversions.record(fields);
  if (operation === 'order_refund') return conversions.refund(fields);
  return conversions.reverse(fields);
}

/** The order may have been edited since. */
async function recordedCents({ sql }: TributaryModuleService, orderId: string): Promise<number | null> {
  const recorded = await conversionOfOrder(sql, orderId);
  return recorded === null ? null : (recorded as { readonly order_subtotal_cents: number }).order_subtotal_cents;
}

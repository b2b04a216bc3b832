import type { MedusaContainer } from '@medusajs/framework/types';
import { reportMissedOrders } from '../workflows/report-missed-orders.ts';

export default async function job(container: MedusaContainer): Promise<void> {
  await reportMissedOrders(container);
}

export const config = { name: 'tributary-report-missed-orders', schedule: '* * * * *' };

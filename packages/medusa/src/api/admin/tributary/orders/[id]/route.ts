import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { commissionOf } from '@tributary/node/plugin-connection';
import { reportsOfOrder } from '@tributary/node/plugin-reports';
import { tributaryOf } from '../../../../../modules/tributary/resolve.ts';

/** What was reported about an order, and what it earned. */
export async function GET({ scope, params }: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { connection, sql } = tributaryOf(scope);
  const orderId = params['id'] ?? '';
  const reports = await reportsOfOrder(sql, orderId);
  const earned = reports.length > 0 ? await commissionOf(connection, orderId) : { commission: null, problem: null };
  response.json({ reports, ...earned });
}

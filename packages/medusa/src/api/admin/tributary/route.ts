import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { integrationOf } from '@tributary/node/plugin-connection';
import { reportsHealth } from '@tributary/node/plugin-reports';
import { tributaryOf } from '../../../modules/tributary/resolve.ts';

/** The health of the integration: the connection, the checks of the service, and the queue. */
export async function GET({ scope }: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { connection, options, sql } = tributaryOf(scope);
  const [integration, queue] = await Promise.all([integrationOf(connection), reportsHealth(sql)]);
  response.json({ ...integration, url: options.url ?? null, queue });
}

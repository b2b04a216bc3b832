import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { makeReportsDue } from '@tributary/node/plugin-reports';
import { tributaryOf } from '../../../../modules/tributary/resolve.ts';

/** Makes waiting reports due now, for example after a key was replaced. */
export async function POST({ scope }: MedusaRequest, response: MedusaResponse): Promise<void> {
  response.json({ due: await makeReportsDue(tributaryOf(scope).sql) });
}

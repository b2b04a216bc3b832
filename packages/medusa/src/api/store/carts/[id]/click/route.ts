import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { keepClick } from '../../../../../workflows/keep-click.ts';

/** The storefront sends the click when the shopper has consented, and `null` when consent is withdrawn. */
export async function POST(
  { scope, params, body }: MedusaRequest<{ readonly click_id?: unknown }>,
  response: MedusaResponse,
): Promise<void> {
  response.json({ click_id: await keepClick(scope, params['id'] ?? '', body?.click_id) });
}

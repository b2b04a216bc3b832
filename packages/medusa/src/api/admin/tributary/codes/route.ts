import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { answerOf } from '../../../../modules/tributary/resolve.ts';
import { syncCodes } from '../../../../workflows/sync-codes.ts';

/** Looks at the discount codes of creators now. */
export async function POST({ scope }: MedusaRequest, response: MedusaResponse): Promise<void> {
  response.json(await answerOf(syncCodes(scope)));
}

import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { answerOf } from '../../../../modules/tributary/resolve.ts';
import { runTestOrder } from '../../../../workflows/test-order.ts';

export async function POST({ scope }: MedusaRequest, response: MedusaResponse): Promise<void> {
  response.json({ reason: await answerOf(runTestOrder(scope)) });
}

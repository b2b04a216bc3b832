import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { MedusaError, Modules } from '@medusajs/framework/utils';
import type { DiscountCode } from '@tributary/node/api-types';
import { codeOf, creatorsOf } from '@tributary/node/plugin-codes';
import { codeField } from '../../../../../reports/order-reports.ts';
import { answerOf, tributaryOf } from '../../../../../modules/tributary/resolve.ts';
import { giveToCreator } from '../../../../../workflows/sync-codes.ts';

/** The creator whose discount code the promotion is, and the creators that it can be given to. */
export async function GET({ scope, params }: MedusaRequest, response: MedusaResponse): Promise<void> {
  const { metadata } = await scope.resolve(Modules.PROMOTION).retrievePromotion(params['id'] ?? '', { select: ['id', 'metadata'] });
  const code = metadata?.[codeField];
  response.json(await answerOf<unknown>(typeof code === 'string' ? given(code) : free()));

  async function given(id: string) {
    return { code: partOf(await codeOf(await tributaryOf(scope).connection.connect(), id)), creators: [] };
  }
  async function free() {
    return { code: null, creators: await creatorsOf(await tributaryOf(scope).connection.connect()) };
  }
}

type Owner = { readonly creator_id?: unknown; readonly program_id?: unknown };

/** Makes the promotion's code the discount code of a creator. */
export async function POST({ scope, params, body }: MedusaRequest<Owner>, response: MedusaResponse): Promise<void> {
  const { creator_id: creatorId, program_id: programId } = body ?? {};
  if (typeof creatorId !== 'string' || typeof programId !== 'string')
    throw new MedusaError(MedusaError.Types.INVALID_DATA, 'creator_id and program_id are missing.');
  const owner = { creator_id: creatorId, program_id: programId };
  response.json({ code: partOf(await answerOf(giveToCreator(scope, params['id'] ?? '', owner))) });
}

const partOf = ({ id, code, status, creator_name, orders }: DiscountCode) => ({ id, code, status, creator_name, orders });

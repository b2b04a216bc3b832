import type { MedusaContainer } from '@medusajs/framework/types';
import { Modules } from '@medusajs/framework/utils';
import { createPromotionsWorkflow, updatePromotionsStatusWorkflow } from '@medusajs/medusa/core-flows';
import type { DiscountCode } from '@tributary/node/api-types';
import { giveCode, syncCodes as syncWith, type Synced } from '@tributary/node/plugin-codes';
import { codeField } from '../reports/order-reports.ts';
import { tributaryOf } from '../modules/tributary/resolve.ts';

/** In the metadata of promotions that the plugin created: it activates, deactivates, and removes only these. */
export const createdField = 'tributary_created';

type Found = {
  readonly id: string;
  readonly status?: string;
  readonly metadata?: Record<string, unknown> | null;
};

/** Brings the promotions of Medusa and the discount codes of creators together. */
export async function syncCodes(container: MedusaContainer): Promise<Synced> {
  const tributary = tributaryOf(container);
  const { codeDiscount } = tributary.options;
  const synced = await syncWith(await tributary.connection.connect(), {
    find: async ({ code }) => {
      const found = await findPromotion(container, code);
      if (found === null) return null;
      const { id, status, metadata } = found;
      const codeId = metadata?.[codeField];
      const isCreated = metadata?.[createdField] === true;
      return { id, codeId: typeof codeId === 'string' ? codeId : null, isCreated, isActive: status === 'active' };
    },
    link: (id, code) => linkPromotion(container, id, code),
    setActive: async (id, isActive) => {
      const promotionsData = [{ id, status: isActive ? ('active' as const) : ('inactive' as const) }];
      await updatePromotionsStatusWorkflow(container).run({ input: { promotionsData } });
    },
    create: codeDiscount === undefined ? null : (code) => createPromotion(container, code, codeDiscount),
  });
  tributary.noteCodes();
  return synced;
}

async function linkPromotion(container: MedusaContainer, id: string, code: DiscountCode): Promise<void> {
  await container.resolve(Modules.PROMOTION).updatePromotions([{ id, metadata: { [codeField]: code.id } }]);
}

/** Names of codes are compared without case. */
async function findPromotion(container: MedusaContainer, code: string): Promise<Found | null> {
  const pattern = code.replace(/[\\%_]/g, '\\$&');
  const promotions = await container.resolve(Modules.PROMOTION).listPromotions({ code: { $ilike: pattern } } as object, {
    select: ['id', 'status', 'metadata'],
  });
  return (promotions as readonly Found[])[0] ?? null;
}

async function createPromotion(
  container: MedusaContainer,
  { id, code }: DiscountCode,
  { type, value }: { readonly type: 'percentage' | 'fixed'; readonly value: number },
): Promise<void> {
  await createPromotionsWorkflow(container).run({
    input: {
      promotionsData: [
        {
          code,
          type: 'standard',
          status: 'active',
          is_automatic: false,
          application_method: { type, value, target_type: 'items', allocation: 'across', currency_code: 'usd' },
          metadata: { [codeField]: id, [createdField]: true },
        },
      ],
    } as never,
  });
}

/** The other direction: the promotion's code becomes the discount code of a creator. */
export async function giveToCreator(
  container: MedusaContainer,
  promotionId: string,
  owner: { readonly creator_id: string; readonly program_id: string },
): Promise<DiscountCode> {
  const { code = '' } = await container.resolve(Modules.PROMOTION).retrievePromotion(promotionId, { select: ['id', 'code'] });
  const created = await giveCode(await tributaryOf(container).connection.connect(), code, owner);
  await linkPromotion(container, promotionId, created);
  return created;
}

import type { MedusaContainer } from '@medusajs/framework/types';
import { MedusaError, Modules } from '@medusajs/framework/utils';
import { createStep, createWorkflow, StepResponse, WorkflowResponse } from '@medusajs/framework/workflows-sdk';
import { isClickId } from '@tributary/node/click';
import { clickField } from '../reports/order-reports.ts';

type Input = { readonly cart_id: string; readonly click_id: string | null };

/** An update merges the metadata of a cart, and an empty text removes a field of it. */
const metadataWith = (click: string | null) => ({ [clickField]: click ?? '' });

const setClickStep = createStep(
  'tributary-set-click',
  async ({ cart_id: id, click_id: click }: Input, { container }) => {
    const carts = container.resolve(Modules.CART);
    const { metadata } = await carts.retrieveCart(id, { select: ['id', 'metadata'] });
    const earlier = metadata?.[clickField];
    const before: Input = { cart_id: id, click_id: typeof earlier === 'string' ? earlier : null };
    if (before.click_id === click) return new StepResponse(click, null);
    await carts.updateCarts(id, { metadata: metadataWith(click) });
    return new StepResponse(click, before);
  },
  async (before: Input | null | undefined, { container }) => {
    if (!before) return;
    await container.resolve(Modules.CART).updateCarts(before.cart_id, { metadata: metadataWith(before.click_id) });
  },
);

/** Writes the click to the metadata of a cart, which Medusa copies to the order. */
export const keepClickWorkflow = createWorkflow('tributary-keep-click', (input: Input) => new WorkflowResponse(setClickStep(input)));

/** `null` removes the click of a shopper who withdrew consent. */
export async function keepClick(container: MedusaContainer, cartId: string, click: unknown): Promise<string | null> {
  if (click !== null && !isClickId(click)) throw new MedusaError(MedusaError.Types.INVALID_DATA, 'click_id must be a click ID or null.');
  const { result } = await keepClickWorkflow(container).run({ input: { cart_id: cartId, click_id: click } });
  return result;
}

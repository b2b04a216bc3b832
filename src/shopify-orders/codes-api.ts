import { Type as T } from 'typebox';
import { findDiscountCode } from '../creators/discount-codes-sql.ts';
import { codeStatusOf } from '../creators/decide-code-change.ts';
import { readPublicId } from '../core/ids.ts';
import { isoTimeOrNull, orNull, idField } from '../http/fields.ts';
import { notFound, refuse } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { validToken } from './access-token.ts';
import { refusalOf } from './connect-shop.ts';
import { findConnection } from './connections-sql.ts';
import { textIn } from './json.ts';
import { mutate } from './shop-settings.ts';

const percentMax = 100;

const createCode = `mutation AddCode($basicCodeDiscount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $basicCodeDiscount) { codeDiscountNode { id } userErrors { field message } }
}`;

export const createShopifyCode = endpoint({
  summary: "Add a creator's discount code to the Shopify shop, where it takes a percentage off every order",
  access: { allow: 'store', permission: 'programs:write' },
  // Shoppers pay less with it.
  proof: true,
  liveKeys: 'permitted',
  body: T.Object(
    {
      code_id: idField({ description: 'An active code of the store' }),
      percent_off: T.Integer({ minimum: 1, maximum: percentMax, description: 'What the shopper saves' }),
    },
    { additionalProperties: false },
  ),
  reply: T.Object({
    code: T.String(),
    discount_id: T.String({ description: "Shopify's ID of the discount" }),
    valid_until: orNull(T.String()),
  }),
  status: 201,
  alsoRefuses: ['unprocessable', 'temporarily_unavailable'],
  audit: 'shopify_code.create',
  inTransaction: false,
  async handle({ platform, ids, body, now }) {
    const { database } = platform;
    const connection = await findConnection(database, ids.store);
    const codeId = readPublicId('code', body.code_id);
    const code = codeId === null ? null : await findDiscountCode(database, { storeId: ids.store, codeId });
    if (connection === null || code === null) return notFound;
    const isOver = code.validUntil !== null && code.validUntil <= now;
    if (codeStatusOf(code) !== 'active' || isOver) return refuse('unprocessable', apiMessage('shopify_orders.code_not_active'));
    const shop = await validToken(platform, connection);
    if (shop.is === 'failed') return refusalOf(shop);
    const basicCodeDiscount = {
      title: code.code,
      code: code.code,
      startsAt: code.validFrom.toISOString(),
      endsAt: code.validUntil?.toISOString() ?? null,
      context: { all: 'ALL' },
      customerGets: { value: { percentage: body.percent_off / percentMax }, items: { all: true } },
    };
    const added = await mutate(platform, shop.value, 'discountCodeBasicCreate', { query: createCode, variables: { basicCodeDiscount } });
    if (added.is === 'failed')
      return added.reason === 'shopify_error'
        ? refuse('unprocessable', apiMessage('shopify_orders.code_exists', { message: added.message ?? '–' }))
        : refusalOf(added);
    const discountId = textIn(added.value, 'discountCodeBasicCreate.codeDiscountNode.id') ?? '';
    return { code: code.code, discount_id: discountId, valid_until: isoTimeOrNull(code.validUntil) };
  },
});

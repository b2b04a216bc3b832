import { centsFromDecimal } from '../../sdk/src/cents.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { Platform } from '../runtime/platform.ts';
import { callAdmin, failed, type AdminResult, type Shop } from './admin-api.ts';
import { field, listIn, numericId, textIn, timeIn } from './json.ts';
import type { ShopifyOrder, ShopifyRefund } from './shopify-order.ts';

const cartAttribute = 'rm_click';
/** Shopify hides properties with an underscore from the shopper. */
const lineProperty = '_rm_click';

/** 50 lines are enough to find a property that each line has, and 50 refunds of one order are more than shops make. */
const orderQuery = `query OrderToReport($id: ID!) {
  order(id: $id) {
    id name test currencyCode displayFinancialStatus processedAt cancelledAt taxesIncluded discountCodes
    subtotalPriceSet { shopMoney { amount } }
    totalTaxSet { shopMoney { amount } }
    totalPriceSet { shopMoney { amount } }
    customAttributes { key value }
    lineItems(first: 50) { nodes { customAttributes { key value } } }
    shippingLines(first: 10) { nodes { taxLines { priceSet { shopMoney { amount } } } } }
    refunds(first: 50) {
      id createdAt processedAt
      totalRefundedSet { shopMoney { amount } }
      refundLineItems(first: 100) { nodes { subtotalSet { shopMoney { amount } } totalTaxSet { shopMoney { amount } } } }
      refundShippingLines(first: 10) { nodes { subtotalAmountSet { shopMoney { amount } } taxAmountSet { shopMoney { amount } } } }
    }
  }
}`;

/** Null if the shop has no such order. */
export async function readOrder(platform: Platform, shop: Shop, orderId: string): Promise<AdminResult<ShopifyOrder | null>> {
  const answer = await callAdmin(platform, shop, { query: orderQuery, variables: { id: `gid://shopify/Order/${orderId}` } });
  if (answer.is === 'failed') return answer;
  const json = field(answer.value, 'order');
  if (json === null) return { is: 'read', value: null };
  const order = orderFrom(json);
  return order === null ? failed('shopify_error', apiMessage('shopify_reasons.unreadable_order')) : { is: 'read', value: order };
}

/** Null if a needed field is missing: nothing about money is guessed. */
function orderFrom(json: unknown): ShopifyOrder | null {
  const [id, currency, processedAt] = [numericId(field(json, 'id')), textIn(json, 'currencyCode'), timeIn(json, 'processedAt')];
  const status = textIn(json, 'displayFinancialStatus');
  if (id === null || currency === null || processedAt === null) return null;
  try {
    return {
      id,
      name: textIn(json, 'name')?.slice(0, 100) ?? null,
      isTest: field(json, 'test') === true,
      currency,
      isPaid: status === 'PAID' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED',
      isRefundedWhole: status === 'REFUNDED',
      processedAt,
      cancelledAt: timeIn(json, 'cancelledAt'),
      taxesIncluded: field(json, 'taxesIncluded') === true,
      subtotal: money(json, 'subtotalPriceSet'),
      tax: money(json, 'totalTaxSet'),
      shippingTax: sumOf(
        listIn(json, 'shippingLines.nodes').flatMap((line) => listIn(line, 'taxLines')),
        'priceSet',
      ),
      total: money(json, 'totalPriceSet'),
      codes: listIn(json, 'discountCodes').filter((code) => typeof code === 'string'),
      cartClick: attributeIn(json, cartAttribute),
      lineClick:
        listIn(json, 'lineItems.nodes')
          .map((line) => attributeIn(line, lineProperty))
          .find((click) => click !== null) ?? null,
      refunds: listIn(json, 'refunds').map(refundFrom),
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function refundFrom(json: unknown): ShopifyRefund {
  const [id, at] = [numericId(field(json, 'id')), timeIn(json, 'processedAt') ?? timeIn(json, 'createdAt')];
  if (id === null || at === null) throw new RangeError('A refund has an ID and a time.');
  const [lines, shipping] = [listIn(json, 'refundLineItems.nodes'), listIn(json, 'refundShippingLines.nodes')];
  return {
    id,
    at,
    paidBack: money(json, 'totalRefundedSet'),
    lines: sumOf(lines, 'subtotalSet'),
    linesTax: sumOf(lines, 'totalTaxSet'),
    shipping: sumOf(shipping, 'subtotalAmountSet'),
    shippingTax: sumOf(shipping, 'taxAmountSet'),
  };
}

const sumOf = (list: readonly unknown[], name: string): number => list.reduce<number>((total, one) => total + money(one, name), 0);

/** Throws a RangeError unless it is a plain amount of whole cents. */
const money = (json: unknown, name: string): number => centsFromDecimal(textIn(json, `${name}.shopMoney.amount`) ?? '');

function attributeIn(json: unknown, key: string): string | null {
  const attribute = listIn(json, 'customAttributes').find((one) => field(one, 'key') === key);
  const value = textIn(attribute, 'value')?.trim() ?? '';
  return value === '' || value.length > 200 ? null : value;
}

import { isReason, reasonRow } from '../contract/reasons.ts';
import { apiMessage } from '../messages/api-message.ts';

/** What happened to an order, and what the merchant can do. The contract explains its own reasons. */
const explanations: Readonly<Record<string, string>> = {
  not_paid: apiMessage('shopify_reasons.not_paid'),
  no_click: apiMessage('shopify_reasons.no_click'),
  no_creator_code: apiMessage('shopify_reasons.no_creator_code'),
  not_usd: apiMessage('shopify_reasons.not_usd'),
  test_order: apiMessage('shopify_reasons.test_order'),
  shopify_order_missing: apiMessage('shopify_reasons.shopify_order_missing'),
  shopify_unavailable: apiMessage('shopify_reasons.shopify_unavailable'),
  shopify_throttled: apiMessage('shopify_reasons.shopify_throttled'),
  shopify_token_rejected: apiMessage('shopify_reasons.shopify_token_rejected'),
  shopify_scope_missing: apiMessage('shopify_reasons.shopify_scope_missing'),
  shopify_shop_closed: apiMessage('shopify_reasons.shopify_shop_closed'),
};

/** `message`: of Shopify, or of the reply to the report, which may be more specific than the reason. */
export function explainReason(reason: string, message: string | null): string;
export function explainReason(reason: string | null, message: string | null): string | null;
export function explainReason(reason: string | null, message: string | null): string | null {
  if (reason === null) return null;
  if (reason === 'shopify_error') return apiMessage('shopify_reasons.shopify_error', { message: message ?? '–' });
  const explanation = explanations[reason];
  if (explanation !== undefined) return explanation;
  return message ?? (isReason(reason) ? reasonRow(reason).means : reason);
}

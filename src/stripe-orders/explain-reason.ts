import { isReason, reasonRow } from '../contract/reasons.ts';
import { apiMessage } from '../messages/api-message.ts';

/** What happened to an event, and what the merchant can do. The contract explains its own reasons. */
const explanations: Readonly<Record<string, string>> = {
  irrelevant_type: apiMessage('stripe_reasons.irrelevant_type'),
  unreadable: apiMessage('stripe_reasons.unreadable'),
  no_payment: apiMessage('stripe_reasons.no_payment'),
  not_paid: apiMessage('stripe_reasons.not_paid'),
  not_usd: apiMessage('stripe_reasons.not_usd'),
  no_click: apiMessage('stripe_reasons.no_click'),
  no_plan: apiMessage('stripe_reasons.no_plan'),
  unknown_payment: apiMessage('stripe_reasons.unknown_payment'),
  full_refund: apiMessage('stripe_reasons.full_refund'),
  partial_refund: apiMessage('stripe_reasons.partial_refund'),
  nothing_eligible: apiMessage('stripe_reasons.nothing_eligible'),
  refund_not_succeeded: apiMessage('stripe_reasons.refund_not_succeeded'),
  refund_not_usd: apiMessage('stripe_reasons.refund_not_usd'),
  test_mode: apiMessage('stripe_reasons.test_mode'),
  live_mode: apiMessage('stripe_reasons.live_mode'),
  stripe_key_missing: apiMessage('stripe_reasons.stripe_key_missing'),
  stripe_key_rejected: apiMessage('stripe_reasons.stripe_key_rejected'),
  stripe_key_lacks_permission: apiMessage('stripe_reasons.stripe_key_lacks_permission'),
  stripe_object_missing: apiMessage('stripe_reasons.stripe_object_missing'),
  stripe_unavailable: apiMessage('stripe_reasons.stripe_unavailable'),
};

/** `message`: of the reply to the report, which may be more specific than the reason. */
export function explainReason(reason: string | null, message: string | null): string | null {
  if (reason === null) return null;
  const explanation = explanations[reason];
  if (explanation !== undefined) return explanation;
  return message ?? (isReason(reason) ? reasonRow(reason).means : null);
}

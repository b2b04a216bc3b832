import type { HoldScope } from '../holds/holds-sql.ts';
import { publicId, type Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';
import { apiMessage } from '../messages/api-message.ts';

/** The rule of a case. A payment provider reports the first three; the service finds the others. */
export const riskRules = [
  'card_dispute',
  'fraud_warning',
  'outside_refund',
  'same_person',
  'order_rate',
  'order_size',
  'fast_orders',
  'full_commission',
  'new_store_one_creator',
  'large_first_payout',
] as const;
export type RiskRule = (typeof riskRules)[number];

/** What an operator reads first. */
export const ruleSentences: Readonly<Record<RiskRule, string>> = {
  card_dispute: apiMessage('risk_case.card_dispute'),
  fraud_warning: apiMessage('risk_case.fraud_warning'),
  outside_refund: apiMessage('risk_case.outside_refund'),
  same_person: apiMessage('risk_case.same_person'),
  order_rate: apiMessage('risk_case.order_rate'),
  order_size: apiMessage('risk_case.order_size'),
  fast_orders: apiMessage('risk_case.fast_orders'),
  full_commission: apiMessage('risk_case.full_commission'),
  new_store_one_creator: apiMessage('risk_case.new_store_one_creator'),
  large_first_payout: apiMessage('risk_case.large_first_payout'),
};

export const caseStates = ['open', 'released', 'escalated'] as const;
export type CaseState = (typeof caseStates)[number];

/** How a release booked a refund at the payment provider. */
export const resolutions = ['loss_booked', 'reinvoiced'] as const;
export type Resolution = (typeof resolutions)[number];

/** One value that a rule compared, as text for operators. It never contains a name, an address, or an account. */
export type Evidence = { readonly what: string; readonly found: string; readonly compared: string | null };

export type RiskCase = {
  readonly caseId: Id<'case'>;
  readonly rule: RiskRule;
  readonly subject: string;
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  readonly invoiceId: Id<'inv'> | null;
  readonly chargeId: Id<'chg'> | null;
  readonly state: CaseState;
  readonly isEnforced: boolean;
  readonly evidence: readonly Evidence[];
  readonly openedAt: Date;
  readonly closedAt: Date | null;
};

/** Identifies a case: two cases of one rule about the same subject are one case. */
export function subjectOf(scope: HoldScope): string {
  switch (scope.of) {
    case 'creator':
      return publicId('crt', scope.creatorId);
    case 'store':
      return publicId('store', scope.storeId);
    case 'invoice':
      return publicId('inv', scope.invoiceId);
    case 'pair':
      return `${publicId('store', scope.storeId)} ${publicId('crt', scope.creatorId)}`;
    default:
      return never(scope);
  }
}

/** The hold of an enforced case. */
export function scopeOf({ rule, storeId, creatorId, invoiceId }: RiskCase): HoldScope | null {
  if (storeId !== null && invoiceId !== null) return { of: 'invoice', storeId, invoiceId };
  if (storeId !== null && creatorId !== null) return { of: 'pair', storeId, creatorId, blocksBilling: rule === 'same_person' };
  if (storeId !== null) return { of: 'store', storeId };
  return creatorId === null ? null : { of: 'creator', creatorId };
}

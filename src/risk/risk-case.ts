import type { HoldScope } from '../holds/holds-sql.ts';
import { publicId, type Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';

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
  card_dispute: 'A cardholder disputed a charge that paid an invoice.',
  fraud_warning: 'The card network warned that a charge which paid an invoice is fraudulent.',
  outside_refund: 'A charge that paid an invoice was refunded at the payment provider, not by this service.',
  same_person: 'The same person appears to be on both sides of a program: in the team of the store, and as its creator.',
  order_rate: 'A creator brought a store far more orders within an hour than ever before.',
  order_size: 'A creator brought a store an order far larger than its usual orders.',
  fast_orders: 'Many orders followed their clicks within seconds.',
  full_commission: 'A program gives nearly the whole amount of an order away, without a refund hold.',
  new_store_one_creator: 'A new store pays a single creator, who is new, too.',
  large_first_payout: 'The first payout of a creator would be large.',
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

import type { ChargeKey } from '../billing/charges-sql.ts';
import { keyOfReference } from '../billing/settle-from-outside.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, publicId } from '../platform/ids.ts';
import { dollars, type Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import type { ProviderNews } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import type { RiskRule } from './case.ts';
import { insertCaseEvent, latestCaseOf, lockCase } from './cases-sql.ts';
import { subjectOf } from './case.ts';
import { decideWarning, type WarningEvent, type WarningKind } from './decide-warning.ts';
import { bySystem, openCase } from './open-case.ts';
import { releaseLocked } from './release-case.ts';
import { findWarning, keepWarning, lockWarnedCharge } from './warnings-sql.ts';

type Reported = Extract<ProviderNews, { readonly at: Date }>;
type AboutCharge = Exclude<Reported['about'], 'payout_returned'>;

const meaning: Readonly<Record<AboutCharge, { readonly kind: WarningKind; readonly event: WarningEvent }>> = {
  dispute_opened: { kind: 'dispute', event: 'opened' },
  dispute_won: { kind: 'dispute', event: 'won' },
  dispute_lost: { kind: 'dispute', event: 'lost' },
  fraud_warning: { kind: 'fraud_warning', event: 'opened' },
  charge_refunded: { kind: 'refund', event: 'opened' },
};

const ruleOf: Readonly<Record<WarningKind, RiskRule>> = {
  dispute: 'card_dispute',
  fraud_warning: 'fraud_warning',
  refund: 'outside_refund',
};

type ChargeNews = Reported & { readonly about: AboutCharge };

/**
 * A provider reported a dispute, a fraud warning or a refund: what the invoice of the charge paid is not paid out before an operator
 * releases it. It needs no knowledge of how the charge ended, so that the report may come before our own call was answered.
 */
export async function warnOfCharge({ platform }: Money, news: ChargeNews): Promise<'done' | 'not_ours'> {
  const key = await keyOfReference(platform.database, news.reference);
  if (key === null) {
    platform.log.warn({ news: news.newsId, about: news.about }, 'risk: a provider reported of a charge that is not ours');
    return 'not_ours';
  }
  await platform.database.transaction((tx) => warnLocked(tx, platform, { key, news }));
  platform.reached('risk: a charge is in doubt');
  return 'done';
}

type Warned = { readonly key: ChargeKey; readonly news: ChargeNews };

async function warnLocked(tx: Transaction, { clock, log }: Platform, { key, news }: Warned): Promise<void> {
  const { kind, event } = meaning[news.about];
  const charge = await lockWarnedCharge(tx, key);
  must(charge, 'a charge with a reference is there');
  const known = await findWarning(tx, { ...key, kind });
  const amount = 'amount' in news ? news.amount : null;
  const isMore = amount !== null && (known?.amountCents ?? 0n) < amount;
  const decision = decideWarning(event, { state: known?.state ?? null, isMore, isStray: charge.isStray });
  log.info({ charge: publicId('chg', key.chargeId), about: news.about, does: decision.do }, 'risk: a provider reported of a charge');
  if (decision.do === 'nothing') return;
  const at = clock.now();
  const { invoiceId } = charge;
  const warning = { ...key, kind, invoiceId, why: news.why, amountCents: amount, reportedAt: news.at, at };
  if (decision.do === 'hold') {
    const caseId = await openCaseOf(tx, { ...key, invoiceId }, { news, kind, amount, at });
    return keepWarning(tx, { ...warning, state: decision.as, caseId });
  }
  await keepWarning(tx, { ...warning, state: decision.as, caseId: null });
  const riskCase = known?.caseId ? await lockCase(tx, known.caseId) : null;
  if (riskCase === null || riskCase.state === 'released') return;
  if (decision.do === 'release') {
    await releaseLocked(tx, riskCase, { reason: news.why, ...bySystem, at });
    return;
  }
  await insertCaseEvent(tx, riskCase.caseId, { eventId: newId(at), action: 'evidence', reason: news.why, ...bySystem, details: {}, at });
}

type OfInvoice = ChargeKey & { readonly invoiceId: Parameters<typeof keepWarning>[1]['invoiceId'] };
type Reporting = { readonly news: ChargeNews; readonly kind: WarningKind; readonly amount: Cents | null; readonly at: Date };

/** Two charges of one invoice may both be in doubt: then the second report is added to the open case. */
async function openCaseOf(tx: Transaction, { storeId, chargeId, invoiceId }: OfInvoice, { news, kind, amount, at }: Reporting) {
  const scope = { of: 'invoice', storeId, invoiceId } as const;
  const rule = ruleOf[kind];
  const evidence = [
    { what: 'Reported by the payment provider', found: news.why, compared: null },
    ...(amount === null ? [] : [{ what: 'Amount', found: dollars(amount), compared: null }]),
  ];
  const made = await openCase(tx, { rule, scope, chargeId, evidence, isEnforced: true, at });
  if (made !== null) return made;
  const open = await latestCaseOf(tx, rule, subjectOf(scope));
  must(open, 'a case that could not be opened is open');
  await insertCaseEvent(tx, open.caseId, { eventId: newId(at), action: 'evidence', reason: news.why, ...bySystem, details: {}, at });
  return open.caseId;
}

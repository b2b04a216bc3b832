import type { ChargeKey } from '../billing/charges-sql.ts';
import { keyOfReference } from '../billing/charge-invoice.ts';
import type { Transaction } from '../db/database.ts';
import { newId, publicId } from '../core/ids.ts';
import { type Cents, dollars } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import type { ProviderEvent } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { type RiskRule, subjectOf } from './risk-case.ts';
import { insertCaseEvent, findLatestCase, lockCase } from './cases-sql.ts';
import { decideWarning, type WarningEvent, type WarningKind } from './decide-warning.ts';
import { bySystem, openCase } from './open-case.ts';
import { releaseLocked } from './release-case.ts';
import { findWarning, saveWarning, lockWarnedCharge } from './warnings-sql.ts';

type Reported = Extract<ProviderEvent, { readonly at: Date }>;
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

type ChargeWarning = Reported & { readonly about: AboutCharge };

/**
 * Handles a dispute, a fraud warning, or a refund that a provider reported: holds the payouts of the charge's invoice until an operator
 * releases them. It does not depend on the outcome of the charge, so the event may arrive before our own call was answered.
 */
export async function handleChargeWarning({ platform }: Money, reported: ChargeWarning): Promise<'done' | 'not_ours'> {
  const key = await keyOfReference(platform.database, reported.reference);
  if (key === null) {
    platform.log.warn({ event: reported.eventId, about: reported.about }, 'risk: a provider reported of a charge that is not ours');
    return 'not_ours';
  }
  await platform.database.transaction((tx) => applyWarning(tx, platform, { key, reported }));
  platform.reached('risk: a charge is in doubt');
  return 'done';
}

type Warned = { readonly key: ChargeKey; readonly reported: ChargeWarning };

async function applyWarning(tx: Transaction, { clock, log }: Platform, { key, reported }: Warned): Promise<void> {
  const { kind, event } = meaning[reported.about];
  const charge = await lockWarnedCharge(tx, key);
  invariant(charge, 'a charge with a reference exists');
  const known = await findWarning(tx, { ...key, kind });
  const amount = 'amount' in reported ? reported.amount : null;
  const isMore = amount !== null && (known?.amountCents ?? 0n) < amount;
  const decision = decideWarning(event, { state: known?.state ?? null, isMore, isUnmatched: charge.isUnmatched });
  log.info({ charge: publicId('chg', key.chargeId), about: reported.about, does: decision.do }, 'risk: a provider reported of a charge');
  if (decision.do === 'nothing') return;
  const at = clock.now();
  const { invoiceId } = charge;
  const warning = { ...key, kind, invoiceId, why: reported.why, amountCents: amount, reportedAt: reported.at, at };
  if (decision.do === 'hold') {
    const caseId = await openCaseOf(tx, { ...key, invoiceId }, { reported, kind, amount, at });
    return saveWarning(tx, { ...warning, state: decision.as, caseId });
  }
  await saveWarning(tx, { ...warning, state: decision.as, caseId: null });
  const riskCase = known?.caseId ? await lockCase(tx, known.caseId) : null;
  if (riskCase === null || riskCase.state === 'released') return;
  if (decision.do === 'release') {
    await releaseLocked(tx, riskCase, { reason: reported.why, ...bySystem, at });
    return;
  }
  await insertCaseEvent(tx, riskCase.caseId, {
    eventId: newId(at),
    action: 'evidence',
    reason: reported.why,
    ...bySystem,
    details: {},
    at,
  });
}

type OfInvoice = ChargeKey & { readonly invoiceId: Parameters<typeof saveWarning>[1]['invoiceId'] };
type Reporting = { readonly reported: ChargeWarning; readonly kind: WarningKind; readonly amount: Cents | null; readonly at: Date };

/** An event about another charge of the same invoice is added to the open case. */
async function openCaseOf(tx: Transaction, { storeId, chargeId, invoiceId }: OfInvoice, { reported, kind, amount, at }: Reporting) {
  const scope = { of: 'invoice', storeId, invoiceId } as const;
  const rule = ruleOf[kind];
  const evidence = [
    { what: 'Reported by the payment provider', found: reported.why, compared: null },
    ...(amount === null ? [] : [{ what: 'Amount', found: dollars(amount), compared: null }]),
  ];
  const made = await openCase(tx, { rule, scope, chargeId, evidence, isEnforced: true, at });
  if (made !== null) return made;
  const open = await findLatestCase(tx, rule, subjectOf(scope));
  invariant(open, 'a case that could not be opened is open already');
  await insertCaseEvent(tx, open.caseId, { eventId: newId(at), action: 'evidence', reason: reported.why, ...bySystem, details: {}, at });
  return open.caseId;
}

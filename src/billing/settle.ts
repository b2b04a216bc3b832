import type { Transaction } from '../platform/database/database.ts';
import { publicId } from '../platform/ids.ts';
import { type Cents } from '../platform/money.ts';
import { must, never } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { changeCharge, findCharge, isUnderWay, lockCharge, markStray, type Charge, type ChargeEnd, type ChargeKey } from './charges-sql.ts';
import { collectInvoice } from './collect.ts';
import { creditedSoFar } from './credit-notes-sql.ts';
import { afterDecline, decideCharge, type AfterFailure, type ChargeableState, type ChargeOutcome } from './decide-charge.ts';
import { dueOf, type Invoice } from './invoice.ts';
import { changeInvoice, lockInvoice } from './invoices-sql.ts';
import { tellFinance, tellOfStray } from './letters-out.ts';
import { chargeFailedLetter, pastDueLetter } from './letters.ts';
import { keepPastDue, payInvoice } from './pay.ts';

/**
 * What a provider said of a charge, however it was heard and however often: in one transaction, under the locks of invoice and
 * charge. True: it came to nothing, and there is another method to try at once.
 */
export async function settle(platform: Platform, key: ChargeKey, outcome: ChargeOutcome, now: Date): Promise<boolean> {
  const settled = await platform.database.transaction((tx) => settleLocked(tx, platform, { key, outcome, now }));
  platform.reached('billing: a charge is settled');
  if (settled.is === 'paid') await collectInvoice(platform, settled.invoice, now);
  return settled.is === 'to be tried again';
}

type Told = { readonly key: ChargeKey; readonly outcome: ChargeOutcome; readonly now: Date };
type Settled = { readonly is: 'paid'; readonly invoice: Invoice } | { readonly is: 'to be tried again' } | { readonly is: 'settled' };

/** For who decides in a transaction of their own: what is left to do after its commit is theirs. */
export async function settleLocked(tx: Transaction, platform: Platform, { key, outcome, now }: Told): Promise<Settled> {
  const { invoice, charge } = await lockBoth(tx, key);
  const due = dueOf(invoice, await creditedSoFar(tx, invoice));
  const isTakenCareOf =
    invoice.state === 'paid' || invoice.state === 'void' || due !== charge.amountCents || (await isOtherUnderWay(tx, charge));
  const decision = decideCharge(outcome, { now, charge, invoice: { ...invoice, isTakenCareOf } });
  switch (decision.do) {
    case 'nothing':
      return { is: 'settled' };
    case 'wait':
      await changeCharge(tx, key, endOf(outcome, decision.charge, null));
      await changeInvoice(tx, invoice, { state: decision.invoice });
      return { is: 'settled' };
    case 'collect':
      await changeCharge(tx, key, endOf(outcome, 'succeeded', now));
      return { is: 'paid', invoice: await payInvoice(tx, invoice, { source: { kind: 'charge', id: charge.chargeId }, at: now }) };
    case 'raise alarm':
      await changeCharge(tx, key, endOf(outcome, 'succeeded', now));
      await markStray(tx, key, now);
      await tellOfStray(tx, platform, charge, now);
      platform.log.error({ charge: publicId('chg', key.chargeId) }, 'billing: money came in that nobody owed; send it back by hand');
      return { is: 'settled' };
    case 'fail':
      await changeCharge(tx, key, endOf(outcome, decision.charge, now));
      return fail(tx, platform, { invoice, was: charge.invoiceWas, after: decision.invoice, due, why: whyOf(outcome), now });
    default:
      return never(decision);
  }
}

/** The invoice first, then its charge: always in this order. */
async function lockBoth(tx: Transaction, key: ChargeKey): Promise<{ readonly invoice: Invoice; readonly charge: Charge }> {
  const found = await findCharge(tx, key);
  const invoice = found && (await lockInvoice(tx, found));
  const charge = invoice && (await lockCharge(tx, key));
  must(invoice && charge, 'a charge that is settled is there, and its invoice');
  return { invoice, charge };
}

const isOtherUnderWay = async (tx: Transaction, charge: Charge): Promise<boolean> => charge.endedAt !== null && isUnderWay(tx, charge);

function endOf(outcome: ChargeOutcome, state: ChargeEnd['state'], endedAt: Date | null): ChargeEnd {
  const providerId = 'providerId' in outcome ? outcome.providerId : null;
  if (outcome.is === 'declined') return { state, providerId, code: outcome.code, message: outcome.message, endedAt };
  return { state, providerId, code: null, message: outcome.is === 'unknown' ? outcome.why : null, endedAt };
}

const whyOf = (outcome: ChargeOutcome): string | null => (outcome.is === 'declined' ? outcome.message : null);

type Failure = {
  readonly invoice: Invoice;
  readonly was: ChargeableState;
  readonly after: AfterFailure;
  readonly due: Cents;
  /** What the payer is told; null where nobody refused anything. */
  readonly why: string | null;
  readonly now: Date;
};

async function fail(tx: Transaction, platform: Platform, { invoice, was, after, due, why, now }: Failure): Promise<Settled> {
  const isNewlyPastDue = after.state === 'past_due' && was !== 'past_due';
  const failed = await changeInvoice(tx, invoice, { ...after, ...(isNewlyPastDue ? { pastDueAt: now } : {}) });
  if (after.isBackupTried) return { is: 'to be tried again' };
  if (isNewlyPastDue) await keepPastDue(tx, invoice.storeId, now);
  if (why !== null)
    await tellFinance(tx, platform, invoice.storeId, (facts) =>
      isNewlyPastDue ? pastDueLetter({ ...facts, invoice: failed, due }) : chargeFailedLetter({ ...facts, invoice: failed, due, why }),
    );
  return { is: 'settled' };
}

type NoMethod = Pick<Failure, 'invoice' | 'was' | 'due' | 'now'>;

/** Nobody is asked where there is nothing to charge; for the store it is a charge that failed. */
export async function failWithoutMethod(tx: Transaction, platform: Platform, { invoice, was, due, now }: NoMethod): Promise<void> {
  const after = afterDecline(now, { isBackup: false, invoiceWas: was }, invoice);
  await fail(tx, platform, { invoice, was, after, due, why: 'There is no payment method.', now });
}

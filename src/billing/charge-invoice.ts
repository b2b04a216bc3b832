import { type PaymentMethod, paymentMethodsOf } from '../merchants/payment-methods-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { type Id, newId, publicId, readPublicId } from '../core/ids.ts';
import { type Cents, noCents } from '../core/money.ts';
import type { Platform } from '../runtime/platform.ts';
import type { MoneyOutcome } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { chargeRules } from '../money-movement/decide-resume.ts';
import { applyEvent, resumeMovement, sendMovement, type EventResult, type MovementKind } from '../money-movement/protocol.ts';
import {
  type Charge,
  type ChargeEnd,
  type ChargeKey,
  listUnfinishedCharges,
  findCharge,
  insertCharge,
  hasUnfinishedCharge,
  lockCharge,
  markSending,
  markUnmatched,
  transitionCharge,
  storeOfCharge,
} from './charges-sql.ts';
import { collectInvoice, updatePastDue, payInvoice, payWithoutCharge, writeOff } from './collect-invoice.ts';
import { sumCredits } from './credit-notes-sql.ts';
import {
  afterDecline,
  type AfterFailure,
  type ChargeOutcome,
  chooseMethod,
  decideCharge,
  isChargeable,
  type ChargeScope,
} from './decide-charge.ts';
import { chargeableStates, eventAfterFailure, type ChargeableState } from './invoice-states.ts';
import { collectStoreFailures } from './store-failures.ts';
import { dueOf, type Invoice, type InvoiceKey, invoiceName } from './invoice.ts';
import { changeInvoice, hasUnpaid, lockInvoice } from './invoices-sql.ts';
import { invariant, never } from '../core/invariant.ts';
import { chargeFailedEmail, pastDueEmail, notifyFinance, notifyUnmatchedCharge } from './billing-emails.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

/** The default method and the backup. After both failed, the retry schedule applies. */
const triesMax = 2;

/**
 * Charges the amount that is still due on an invoice, with the backup method if the first one is declined. Uses the current time, not the
 * job's due time: after downtime, a call that was just made must not look old.
 */
export async function chargeInvoice(money: Money, key: InvoiceKey, wanted: ChargeScope): Promise<void> {
  const { platform } = money;
  for (let tried = 0; tried < triesMax; tried++) {
    const made = await platform.database.transaction((tx) => createCharge(tx, money, key, wanted));
    if (made.is === 'paid') await collectInvoice(platform, key);
    if (made.is !== 'made') return;
    platform.reached('billing: a charge is made');
    if (!(await sendMovement(chargeKind, money, made.charge, 'first'))) return;
  }
}

type CreatedCharge = { readonly is: 'made'; readonly charge: ChargeKey } | { readonly is: 'paid' } | { readonly is: 'nothing' };

/** Commits the intent before any call: amount, payment method, and idempotency key. */
async function createCharge(tx: Transaction, money: Money, key: InvoiceKey, wanted: ChargeScope): Promise<CreatedCharge> {
  const invoice = await lockInvoice(tx, key);
  if (invoice === null || (await hasUnfinishedCharge(tx, key))) return { is: 'nothing' };
  const now = money.platform.clock.now();
  const was = chargeable(invoice);
  if (was === null || !isChargeable(wanted, { ...invoice, state: was }, now)) return { is: 'nothing' };
  // No invoice is charged while an older one is unpaid.
  if (was === 'issued' && (await hasUnpaid(tx, key.storeId))) return { is: 'nothing' };
  const due = dueOf(invoice, await sumCredits(tx, key));
  if (due === noCents) {
    await payWithoutCharge(tx, invoice, now);
    return { is: 'paid' };
  }
  const methods = await paymentMethodsOf(tx, key.storeId);
  const method = chooseMethod({ ...invoice, state: was }, methods);
  if (method === null) {
    await failWithoutMethod(tx, money.platform, { invoice, was, due, now });
    return { is: 'nothing' };
  }
  const charging = money.providers.chargeProvider(method.provider);
  if (charging === null) {
    // Our configuration is wrong, such as a missing Stripe key: the store does not become past due, and the daily job retries.
    const which = { invoice: publicId('inv', key.invoiceId), provider: method.provider };
    money.platform.log.error(which, 'billing: an invoice waits for a provider that is not set up');
    return { is: 'nothing' };
  }
  if (due < charging.chargeMin) {
    await payWithoutCharge(tx, await writeOff(tx, invoice, due, now), now);
    return { is: 'paid' };
  }
  const chargeId = newId<'chg'>(now);
  // A backup without another method acts as the default: there is no method left to try after it.
  const isBackup = method.isBackup && methods.length > 1;
  const description = `Tributary ${invoiceName(invoice.number)}`;
  const { paymentMethodId, provider } = method;
  await insertCharge(tx, {
    ...key,
    chargeId,
    amountCents: due,
    paymentMethodId,
    provider,
    instrument: instrumentOf(method),
    description,
    isBackup,
    invoiceWas: was,
    madeAt: now,
  });
  await changeInvoice(tx, invoice, 'charge', { nextChargeAt: null });
  return { is: 'made', charge: { storeId: key.storeId, chargeId } };
}

const chargeable = ({ state }: Invoice): ChargeableState | null => chargeableStates.find((one) => one === state) ?? null;

/** Saving the same sandbox method again makes a new instrument, so its script starts over. */
const instrumentOf = ({ provider, instrument, paymentMethodId }: PaymentMethod): string =>
  provider === 'sandbox' ? `${instrument}#${publicId('pm', paymentMethodId)}` : instrument;

const referenceOf = ({ chargeId }: ChargeKey): string => publicId('chg', chargeId);

/** `After`: the charge failed, and the backup method is to be tried now. */
const chargeKind: MovementKind<ChargeKey, Charge, boolean> = {
  module: 'billing',
  rules: chargeRules,
  async read(db, key) {
    const charge = await findCharge(db, key);
    invariant(charge, 'charges are never deleted');
    return charge;
  },
  referenceOf,
  intentOf: (charge) => ({
    reference: referenceOf(charge),
    amount: charge.amountCents,
    instrument: charge.instrument,
    description: charge.description,
    providerId: charge.providerId,
  }),
  providerOf(providers, charge) {
    const provider = providers.chargeProvider(charge.provider);
    return provider && { ...provider, send: (intent) => provider.charge(intent), lookUp: (intent) => provider.lookUpCharge(intent) };
  },
  callsOf: ({ madeAt, calledAt, state }) =>
    calledAt === null ? null : { keyFrom: madeAt, lastCalledAt: calledAt, isAccepted: state === 'pending' },
  commitSending: ({ database, clock }, key) => markSending(database, key, clock.now()),
  settle: settleCharge,
  onEvent: ({ state }) => (state === 'succeeded' ? 'ignore' : 'look_up'),
};

/** Resumes an unfinished charge, such as one that a crashed process started. */
async function resumeCharge(money: Money, charge: Charge): Promise<void> {
  if (await resumeMovement(chargeKind, money, charge)) await chargeInvoice(money, charge, 'due');
}

const chargesPerPage = 100;

const pagesMax = 1_000;

/** A job: asks the providers about all unfinished charges. */
export async function resumeCharges(money: Money, storeId: Id<'store'> | null): Promise<void> {
  const failures = collectStoreFailures(money.platform);
  const pages = boundedKeysetPages<Charge, ChargeKey>({ rowsPerPage: chargesPerPage, pagesMax }, itself, (page) =>
    listUnfinishedCharges(money.platform.database, { storeId, ...page }),
  );
  for await (const open of pages) for (const charge of open) await failures.of(charge.storeId, () => resumeCharge(money, charge));
  failures.raise();
}

/**
 * Settles a charge with a provider's answer from a call, a look-up, or a webhook event. Repeated answers have no effect. Runs in one
 * transaction that locks the invoice and the charge. True: the charge failed, and the backup method is to be tried now.
 */
async function settleCharge(platform: Platform, key: ChargeKey, outcome: ChargeOutcome): Promise<boolean> {
  const now = platform.clock.now();
  const settled = await platform.database.transaction((tx) => settleChargeLocked(tx, platform, { key, outcome, now }));
  platform.reached('billing: settled');
  if (settled.is === 'paid') await collectInvoice(platform, settled.invoice);
  return settled.is === 'to be tried again';
}

type ProviderOutcome = { readonly key: ChargeKey; readonly outcome: ChargeOutcome; readonly now: Date };

type Settled = { readonly is: 'paid'; readonly invoice: Invoice } | { readonly is: 'to be tried again' } | { readonly is: 'settled' };

/** For callers that bring their own transaction. They must do what follows the commit. */
export async function settleChargeLocked(tx: Transaction, platform: Platform, { key, outcome, now }: ProviderOutcome): Promise<Settled> {
  const { invoice, charge } = await lockInvoiceAndCharge(tx, key);
  const due = dueOf(invoice, await sumCredits(tx, invoice));
  const isTakenCareOf =
    invoice.state === 'paid' || invoice.state === 'void' || due !== charge.amountCents || (await isAnotherChargeUnfinished(tx, charge));
  const decision = decideCharge(outcome, { now, charge, invoice: { ...invoice, isTakenCareOf } });
  switch (decision.do) {
    case 'nothing':
      return { is: 'settled' };
    case 'wait':
      await transitionCharge(tx, key, decision.charge === 'pending' ? 'accept' : 'loseAnswer', chargeEndOf(outcome, null));
      await changeInvoice(tx, invoice, decision.invoice === 'charging' ? 'accept' : 'loseAnswer', {});
      return { is: 'settled' };
    case 'collect':
      await transitionCharge(tx, key, 'succeed', chargeEndOf(outcome, now));
      return { is: 'paid', invoice: await payInvoice(tx, invoice, { source: { kind: 'charge', id: charge.chargeId }, at: now }) };
    case 'raise alarm':
      await transitionCharge(tx, key, 'succeed', chargeEndOf(outcome, now));
      await markUnmatched(tx, key, now);
      await notifyUnmatchedCharge(tx, platform, charge, now);
      platform.log.error(
        { charge: publicId('chg', key.chargeId) },
        'billing: a charge succeeded that matches no open invoice; return it at the provider',
      );
      return { is: 'settled' };
    case 'fail':
      await transitionCharge(tx, key, decision.charge === 'declined' ? 'decline' : 'neverArrive', chargeEndOf(outcome, now));
      return failInvoice(tx, platform, {
        invoice,
        was: charge.invoiceWas,
        after: decision.invoice,
        due,
        why: declineMessageOf(outcome),
        now,
      });
    default:
      return never(decision);
  }
}

/** Locks the invoice before the charge, as every transaction does, so that two cannot deadlock. */
async function lockInvoiceAndCharge(tx: Transaction, key: ChargeKey): Promise<{ readonly invoice: Invoice; readonly charge: Charge }> {
  const found = await findCharge(tx, key);
  const invoice = found && (await lockInvoice(tx, found));
  const charge = invoice && (await lockCharge(tx, key));
  invariant(invoice && charge, 'a settled charge and its invoice exist');
  return { invoice, charge };
}

const isAnotherChargeUnfinished = async (tx: Transaction, charge: Charge): Promise<boolean> =>
  charge.endedAt !== null && hasUnfinishedCharge(tx, charge);

function chargeEndOf(outcome: ChargeOutcome, endedAt: Date | null): ChargeEnd {
  const providerId = 'providerId' in outcome ? outcome.providerId : null;
  if (outcome.is === 'declined') return { providerId, code: outcome.code, message: outcome.message, endedAt };
  return { providerId, code: null, message: outcome.is === 'unknown' ? outcome.why : null, endedAt };
}

const declineMessageOf = (outcome: ChargeOutcome): string | null => (outcome.is === 'declined' ? outcome.message : null);

type Failure = {
  readonly invoice: Invoice;
  readonly was: ChargeableState;
  readonly after: AfterFailure;
  readonly due: Cents;
  /** Shown to the payer. Null: no provider declined the charge. */
  readonly why: string | null;
  readonly now: Date;
};

async function failInvoice(tx: Transaction, platform: Platform, { invoice, was, after, due, why, now }: Failure): Promise<Settled> {
  const { state, ...change } = after;
  const isNewlyPastDue = state === 'past_due' && was !== 'past_due';
  const failed = await changeInvoice(tx, invoice, eventAfterFailure[state], { ...change, ...(isNewlyPastDue ? { pastDueAt: now } : {}) });
  if (change.isBackupTried) return { is: 'to be tried again' };
  if (isNewlyPastDue) await updatePastDue(tx, invoice.storeId, now);
  if (why !== null)
    await notifyFinance(tx, platform, invoice.storeId, (facts) =>
      isNewlyPastDue ? pastDueEmail({ ...facts, invoice: failed, due }) : chargeFailedEmail({ ...facts, invoice: failed, due, why }),
    );
  return { is: 'settled' };
}

type NoMethod = Pick<Failure, 'invoice' | 'was' | 'due' | 'now'>;

/** Without a payment method no provider is called, and the invoice counts as declined. */
export async function failWithoutMethod(tx: Transaction, platform: Platform, { invoice, was, due, now }: NoMethod): Promise<void> {
  const after = afterDecline(now, { isBackup: false, invoiceWas: was }, invoice);
  await failInvoice(tx, platform, { invoice, was, after, due, why: 'The store has no payment method.', now });
}

/** Handles a webhook event about a charge, in any order and any number of times. Looks the charge up before it trusts the event. */
export async function handleChargeEvent(money: Money, reference: string, outcome: MoneyOutcome): Promise<EventResult> {
  const key = await keyOfReference(money.platform.database, reference);
  return key === null ? 'not_ours' : lookUpAndSettle(money, key, outcome);
}

export async function keyOfReference(db: Queryable, reference: string): Promise<ChargeKey | null> {
  const chargeId = readPublicId('chg', reference);
  const storeId = chargeId && (await storeOfCharge(db, chargeId));
  return chargeId && storeId ? { storeId, chargeId } : null;
}

/** The provider of the charge. Null: the charge is not ours. */
export async function providerOfCharge(db: Queryable, reference: string): Promise<Charge['provider'] | null> {
  const key = await keyOfReference(db, reference);
  return (key && (await findCharge(db, key)))?.provider ?? null;
}

/** Null: there is no event about the charge, and it is only looked up. */
export async function lookUpAndSettle(
  money: Money,
  key: ChargeKey,
  reported: MoneyOutcome | null,
): Promise<Exclude<EventResult, 'not_ours'>> {
  const result = await applyEvent(chargeKind, money, key, reported);
  if (result.is === 'applied' && result.after === true) {
    const { invoiceId } = await chargeKind.read(money.platform.database, key);
    await chargeInvoice(money, { storeId: key.storeId, invoiceId }, 'due');
  }
  return result.is;
}

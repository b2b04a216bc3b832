import { paymentMethodsOf, type PaymentMethod } from '../merchants/payment-methods-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import { noCents } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import type { ChargeProvider, LookedUp, MoneyIntent, MoneyOutcome } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import { chargesUnderWay, insertCharge, isUnderWay, markSending, type Charge, type ChargeKey } from './charges-sql.ts';
import { collectInvoice } from './collect.ts';
import { creditedSoFar } from './credit-notes-sql.ts';
import { chooseMethod, isWanted, type ChargeableState, type Wanted } from './decide-charge.ts';
import { faultsOf } from './faults.ts';
import { dueOf, invoiceName, type Invoice, type InvoiceKey } from './invoice.ts';
import { changeInvoice, hasUnpaid, lockInvoice } from './invoices-sql.ts';
import { payWithoutCharge, writeOff } from './pay.ts';
import { failWithoutMethod, settle } from './settle.ts';

/** The usual method and the backup; what is left then waits for another day. */
const triesMax = 2;

/**
 * Charges what an invoice is still owed, and goes on until it is paid, waits for its end, or for another day. By the clock, not by
 * when a job was due: after a long pause of the service a call that was just made must not look like an old one.
 */
export async function chargeInvoice(money: Money, key: InvoiceKey, wanted: Wanted): Promise<void> {
  const { platform } = money;
  for (let tried = 0; tried < triesMax; tried++) {
    const made = await platform.database.transaction((tx) => makeCharge(tx, money, key, wanted));
    if (made.is === 'paid') await collectInvoice(platform, key, platform.clock.now());
    if (made.is !== 'made') return;
    platform.reached('billing: a charge is made');
    if (!(await send(money, made.provider, made.charge))) return;
  }
}

type Made =
  | { readonly is: 'made'; readonly charge: ChargeKey; readonly provider: ChargeProvider }
  | { readonly is: 'paid' }
  | { readonly is: 'nothing' };

/** The intent, committed before any call: what, how much, where from, and under which key. */
async function makeCharge(tx: Transaction, money: Money, key: InvoiceKey, wanted: Wanted): Promise<Made> {
  const invoice = await lockInvoice(tx, key);
  if (invoice === null || (await isUnderWay(tx, key))) return { is: 'nothing' };
  const now = money.platform.clock.now();
  const was = chargeable(invoice);
  if (was === null || !isWanted(wanted, { ...invoice, state: was }, now)) return { is: 'nothing' };
  // Nothing new is charged while something older is unpaid.
  if (was === 'issued' && (await hasUnpaid(tx, key.storeId))) return { is: 'nothing' };
  const due = dueOf(invoice, await creditedSoFar(tx, key));
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
    // Ours to mend, such as Stripe without its key: no store is past due because of it, and each day it is tried again.
    const which = { invoice: publicId('inv', key.invoiceId), provider: method.provider };
    money.platform.log.error(which, 'billing: an invoice waits for a provider that is not set up');
    return { is: 'nothing' };
  }
  if (due < charging.chargeMin) {
    await payWithoutCharge(tx, await writeOff(tx, invoice, due, now), now);
    return { is: 'paid' };
  }
  const chargeId = newId<'chg'>(now);
  // A backup that stands alone is the usual one: there is no other to try after it.
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
  await changeInvoice(tx, invoice, { state: 'charging', nextChargeAt: null });
  return { is: 'made', charge: { storeId: key.storeId, chargeId }, provider: charging };
}

const chargeableStates: readonly ChargeableState[] = ['issued', 'retrying', 'past_due', 'charged_back'];
const chargeable = ({ state }: Invoice): ChargeableState | null => chargeableStates.find((one) => one === state) ?? null;

/** A word of the sandbox set again is another instrument: its script begins anew. */
const instrumentOf = ({ provider, instrument, paymentMethodId }: PaymentMethod): string =>
  provider === 'sandbox' ? `${instrument}#${publicId('pm', paymentMethodId)}` : instrument;

/** Sends it, perhaps again: the same key with the same bytes. True: it came to nothing, and the other method is to be tried. */
async function send({ platform }: Money, provider: ChargeProvider, key: ChargeKey): Promise<boolean> {
  const sending = await markSending(platform.database, key, platform.clock.now());
  if (sending === null) return false;
  platform.reached('billing: a charge is being sent');
  const outcome = await answerOf(platform, () => provider.charge(intentOf(sending)));
  platform.reached('billing: a charge was answered');
  return settle(platform, key, outcome, platform.clock.now());
}

export const intentOf = (charge: Charge): MoneyIntent => ({
  reference: publicId('chg', charge.chargeId),
  amount: charge.amountCents,
  instrument: charge.instrument,
  description: charge.description,
  providerId: charge.providerId,
});

/** A provider's own fault, or ours on the way, says nothing about the money. */
async function answerOf<Outcome extends LookedUp>(platform: Platform, ask: () => Promise<Outcome>): Promise<Outcome | MoneyOutcome> {
  try {
    return await ask();
  } catch (error) {
    platform.log.error({ error: toldInLog(error) }, 'billing: a provider could not be asked');
    return { is: 'unknown', why: 'the call failed on our side' };
  }
}

export const lookUp = (platform: Platform, provider: ChargeProvider, charge: Charge): Promise<LookedUp> =>
  answerOf(platform, () => provider.lookUpCharge(intentOf(charge)));

/** Goes on with a charge that has no end yet, whoever began it and whatever became of them. */
export async function takeUpCharge(money: Money, charge: Charge): Promise<void> {
  const isAgain = await takenUp(money, charge);
  if (isAgain) await chargeInvoice(money, charge, 'due');
}

async function takenUp(money: Money, charge: Charge): Promise<boolean> {
  const { platform, providers } = money;
  const provider = providers.chargeProvider(charge.provider);
  if (provider === null) {
    platform.log.error({ charge: publicId('chg', charge.chargeId) }, 'billing: a charge waits for a provider that is not set up');
    return false;
  }
  if (charge.calledAt === null) return send(money, provider, charge);
  const found = await lookUp(platform, provider, charge);
  const now = platform.clock.now();
  if (found.is !== 'absent' && found.is !== 'unknown') return settle(platform, charge, found, now);
  // What was accepted is neither sent again nor given up.
  if (charge.state === 'pending') return false;
  if (now.getTime() - charge.madeAt.getTime() < provider.keyLifeMs) return send(money, provider, charge);
  const isSure = now.getTime() - charge.calledAt.getTime() >= provider.absentIsSureAfterMs;
  return found.is === 'absent' && isSure ? settle(platform, charge, found, now) : false;
}

const takenUpAtOnceMax = 100;
const roundsMax = 1_000;

/** A job, often: what has no end yet is asked for. */
export async function takeUpCharges(money: Money, storeId: Id<'store'> | null): Promise<void> {
  const faults = faultsOf(money.platform);
  let after: ChargeKey | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const open: readonly Charge[] = await chargesUnderWay(money.platform.database, { storeId, after, limit: takenUpAtOnceMax });
    for (const charge of open) await faults.of(charge.storeId, () => takeUpCharge(money, charge));
    if (open.length < takenUpAtOnceMax) break;
    after = open.at(-1) ?? null;
  }
  faults.raise();
}

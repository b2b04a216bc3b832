import type { Id } from '../platform/ids.ts';
import { sideBySide } from '../platform/side-by-side.ts';
import type { Money } from '../providers/providers.ts';
import { chargeInvoice, takeUpCharges } from './charge.ts';
import { collectInvoices } from './collect.ts';
import type { IssueMoment } from './decide-issue.ts';
import { undoDisputes } from './disputes.ts';
import { eachInvoice } from './each-invoice.ts';
import { faultsOf } from './faults.ts';
import { invoicesMended, invoicesToCharge, openInvoicesOf } from './invoices-sql.ts';
import { issueInvoice } from './issue.ts';
import { tellCreatorsOfPastDue } from './letters-out.ts';
import { byStore, storesAtOnce, storesToBill } from './stores.ts';

/** On the 1st: what is worth an invoice is billed. */
export const cutInvoices = (money: Money): Promise<void> => issueAll(money, 'cut');

/** Each day: what is due early, has waited long enough, was archived, or was begun by a run that died. */
export const billEarly = (money: Money): Promise<void> => issueAll(money, 'day');

/** By the clock: where the job comes late, whoever is billed has their days to look at it from then, and no month changes that is over. */
async function issueAll(money: Money, moment: IssueMoment): Promise<void> {
  const now = money.platform.clock.now();
  const faults = faultsOf(money.platform);
  await sideBySide(storesToBill(money.platform.database, now), storesAtOnce, (storeId) =>
    faults.of(storeId, () => issueInvoice(money, { storeId, now, moment, minimum: null })),
  );
  faults.raise();
}

/** Each day, which on the 4th is what was cut on the 1st: first charges and those to be tried again. Of one store the oldest first. */
export async function chargeDue(money: Money, now: Date): Promise<void> {
  const faults = faultsOf(money.platform);
  const { database } = money.platform;
  const due = eachInvoice(null, (walk) => invoicesToCharge(database, { ...walk, now, isCalendarIgnored: false }));
  await sideBySide(byStore(due), storesAtOnce, async (keys) => {
    for (const key of keys) await faults.of(key.storeId, () => chargeInvoice(money, key, 'due'));
  });
  faults.raise();
}

/** The queue's name for looking at what is open each minute of real time; business time looks every few hours. */
export const settleOpenTask = 'settle_open_charges';

/**
 * Runs often and continues whatever has not finished. An error in one store's part holds up no other store. A run that comes late acts at
 * the current time: what it collects may have been invoiced and paid after the run was due.
 */
export async function settleOpen(money: Money, due: Date): Promise<void> {
  const { database, clock } = money.platform;
  const now = new Date(Math.max(due.getTime(), clock.now().getTime()));
  const faults = faultsOf(money.platform);
  await faults.of(null, () => takeUpCharges(money, null));
  await faults.of(null, () => undoDisputes(money.platform, now, null));
  await faults.of(null, () => collectInvoices(money.platform, now, null));
  const mended = eachInvoice(null, (walk) => invoicesMended(database, walk));
  for await (const key of mended) await faults.of(key.storeId, () => chargeInvoice(money, key, 'open'));
  await faults.of(null, () => tellCreatorsOfPastDue(money.platform));
  faults.raise();
}

/** A payment method was mended: all that is open is charged at once, the oldest first, then what is due besides. */
export async function chargeOpen(money: Money, storeId: Id<'store'>, now: Date): Promise<void> {
  const { database } = money.platform;
  await takeUpCharges(money, storeId);
  for (const key of await openInvoicesOf(database, { storeId })) await chargeInvoice(money, key, 'open');
  const due = eachInvoice(storeId, (walk) => invoicesToCharge(database, { ...walk, now, isCalendarIgnored: false }));
  for await (const key of due) await chargeInvoice(money, key, 'due');
}

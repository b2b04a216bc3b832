import { publicId, type Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { sideBySide } from '../platform/side-by-side.ts';
import type { Money } from '../providers/providers.ts';
import { chargeInvoice, takeUpCharges } from './charge.ts';
import { collectInvoices } from './collect.ts';
import { undoDisputes } from './disputes.ts';
import { eachInvoice } from './each-invoice.ts';
import { faultsOf } from './faults.ts';
import type { InvoiceKey } from './invoice.ts';
import { invoicesToCharge, invoicesUnderWay } from './invoices-sql.ts';
import { issueInvoice, planIssue } from './issue.ts';
import { standingOf, type RunInvoice } from './runs-sql.ts';
import { storesAtOnce, storesToBill } from './stores.ts';

export type RunAsked = { readonly storeId: Id<'store'> | null; readonly minimum: Cents | null; readonly now: Date };

/** What an operator asks for: issue and charge what is due now, whatever the calendar says. Gives all invoices that it dealt with. */
export async function runBilling(money: Money, { storeId, minimum, now }: RunAsked): Promise<readonly RunInvoice[]> {
  const { platform } = money;
  const { database } = platform;
  const faults = faultsOf(platform);
  const touched = new Map<string, InvoiceKey>();
  const touch = (key: InvoiceKey) => void touched.set(key.invoiceId, { storeId: key.storeId, invoiceId: key.invoiceId });
  for (const key of await openBefore(money, { storeId, now })) touch(key);
  await faults.of(storeId, () => takeUpCharges(money, storeId));
  await faults.of(storeId, () => undoDisputes(platform, platform.clock.now(), storeId));
  await faults.of(storeId, () => collectInvoices(platform, platform.clock.now(), storeId));
  // One store's invoices one after the other, the oldest first: nothing new is charged while something older is unpaid.
  const charge = async (keys: readonly InvoiceKey[]) => {
    for (const key of keys) {
      touch(key);
      await faults.of(key.storeId, () => chargeInvoice(money, key, 'due or issued'));
    }
  };
  // What was issued is charged while its rows are at hand, not after all stores were billed: the database writes each page down whole
  // when it is touched for the first time after a checkpoint.
  await sideBySide(storesOf(money, storeId, now), storesAtOnce, (store) =>
    faults.of(store, async () => {
      const issued = await issueInvoice(money, { storeId: store, now, moment: 'now', minimum });
      if (issued !== null) await charge(await openBefore(money, { storeId: store, now }));
    }),
  );
  await sideBySide(Map.groupBy(await openBefore(money, { storeId, now }), (key) => key.storeId).values(), storesAtOnce, charge);
  // All others are done. The run has no end, and the next one goes on with what is left.
  faults.raise();
  return shown(await standingOf(database, [...touched.values()]));
}

/** Exactly what a run would deal with, and nothing is written. What would be issued has no id yet. */
export async function planRun(money: Money, { storeId, minimum, now }: RunAsked): Promise<readonly RunInvoice[]> {
  const { database } = money.platform;
  const planned: RunInvoice[] = [...shown(await standingOf(database, await openBefore(money, { storeId, now })))];
  for await (const store of storesOf(money, storeId, now)) {
    const { decision } = await planIssue(database, money.providers, { storeId: store, now, moment: 'now', minimum });
    if (decision.do !== 'issue') continue;
    const total = decision.amounts.totalCents;
    planned.push({ id: null, store_id: publicId('store', store), total_cents: total, state: 'issued' });
  }
  return planned;
}

/** What is to be charged, and what has no end yet. */
async function openBefore({ platform }: Money, { storeId, now }: Pick<RunAsked, 'storeId' | 'now'>): Promise<readonly InvoiceKey[]> {
  const { database } = platform;
  const keys: InvoiceKey[] = [];
  for await (const key of eachInvoice(storeId, (walk) => invoicesUnderWay(database, walk))) keys.push(key);
  const due = eachInvoice(storeId, (walk) => invoicesToCharge(database, { ...walk, now, isCalendarIgnored: true }));
  for await (const key of due) keys.push(key);
  return keys;
}

async function* storesOf({ platform }: Money, storeId: Id<'store'> | null, now: Date): AsyncGenerator<Id<'store'>> {
  if (storeId === null) yield* storesToBill(platform.database, now);
  else yield storeId;
}

const shown = (standing: Awaited<ReturnType<typeof standingOf>>): readonly RunInvoice[] =>
  standing.map(({ storeId, invoiceId, totalCents, state }) => ({
    id: publicId('inv', invoiceId),
    store_id: publicId('store', storeId),
    total_cents: totalCents,
    state,
  }));

import { type Id, publicId } from '../core/ids.ts';
import { forEachConcurrently } from '../core/concurrency.ts';
import type { Money } from '../payments/providers.ts';
import { whatIsDue } from '../queue/scheduled-jobs.ts';
import type { Platform } from '../runtime/platform.ts';
import { chargeInvoice, resumeCharges } from './charge-invoice.ts';
import { listUnfinishedCharges } from './charges-sql.ts';
import { collectInvoices } from './collect-invoice.ts';
import type { IssueMoment } from './decide-issue.ts';
import { undoDisputes } from './chargebacks.ts';
import { listDisputesToUndo } from './chargebacks-sql.ts';
import { groupByStore, paginateInvoices, storesInParallel, paginateStoresToInvoice } from './paginate-invoices.ts';
import { collectStoreFailures } from './store-failures.ts';
import {
  earliestChargeDue,
  listInvoicesWithNewMethod,
  listInvoicesToCharge,
  listInvoicesToCollect,
  listInvoicesBeingCharged,
  listOpenInvoices,
} from './invoices-sql.ts';
import { issueInvoice, type UnassessedStores, planIssue, requireAssessment } from './issue-invoice.ts';
import { notifyCreatorsOfPastDue } from './billing-emails.ts';
import { listStoresWithPastDueNotices } from './billing-settings-sql.ts';
import type { Cents } from '../core/money.ts';
import type { InvoiceKey } from './invoice.ts';
import { type RunInvoice, listInvoiceStatuses } from './billing-runs-sql.ts';

/** Runs on the 1st of each month and invoices every store whose total reaches the minimum. */
export const issueMonthlyInvoices = (money: Money, now: Date, unassessed?: ReadonlySet<string>): Promise<void> =>
  issueInvoices(money, { moment: 'cut', now, unassessed });

/** Runs each day: invoices large totals, totals carried over for too long, archived stores, and drafts that a crash left behind. */
export const issueDailyInvoices = (money: Money, now: Date, unassessed?: ReadonlySet<string>): Promise<void> =>
  issueInvoices(money, { moment: 'day', now, unassessed });

type Issuing = { readonly moment: IssueMoment; readonly now: Date; readonly unassessed: ReadonlySet<string> | undefined };

/**
 * `now` is the time of the run and not that at which it was due, so a late run still gives the full review period and adds nothing to a
 * month that is over. It is also the time of the assessment, so that nothing is invoiced that was approved after it.
 */
async function issueInvoices(money: Money, { moment, now, unassessed }: Issuing): Promise<void> {
  const failures = collectStoreFailures(money.platform);
  await forEachConcurrently(paginateStoresToInvoice(money.platform.database, now), storesInParallel, (storeId) =>
    failures.of(storeId, async () => {
      requireAssessment(storeId, unassessed);
      await issueInvoice(money, { storeId, now, moment, minimum: null });
    }),
  );
  failures.raise();
}

/** Runs each day: first charges (on the 4th for invoices of the 1st) and retries, each store's oldest invoice first. */
export async function chargeDueInvoices(money: Money, now: Date): Promise<void> {
  const failures = collectStoreFailures(money.platform);
  const { database } = money.platform;
  const due = paginateInvoices(null, (walk) => listInvoicesToCharge(database, { ...walk, now, isCalendarIgnored: false }));
  await forEachConcurrently(groupByStore(due), storesInParallel, async (keys) => {
    for (const key of keys) await failures.of(key.storeId, () => chargeInvoice(money, key, 'due'));
  });
  failures.raise();
}

/** The queue runs this task each minute of real time; the schedule runs it every few hours of business time. */
export const resumeBillingTask = 'settle_open_charges';

/** Runs often and continues whatever has not finished. An error in one store's part holds up no other store. */
export async function resumeBilling(money: Money): Promise<void> {
  const { database } = money.platform;
  const failures = collectStoreFailures(money.platform);
  await failures.of(null, () => resumeCharges(money, null));
  await failures.of(null, () => undoDisputes(money.platform, null));
  await failures.of(null, () => collectInvoices(money.platform, null));
  const withNewMethod = paginateInvoices(null, (walk) => listInvoicesWithNewMethod(database, walk));
  for await (const key of withNewMethod) await failures.of(key.storeId, () => chargeInvoice(money, key, 'open'));
  await failures.of(null, () => notifyCreatorsOfPastDue(money.platform));
  failures.raise();
}

export const earliestCharge = ({ database }: Platform): Promise<Date | null> => earliestChargeDue(database);

/** Whether `resumeBilling` has anything to continue, part by part as there. */
export async function earliestUnfinishedBilling({ database }: Platform): Promise<Date | null> {
  const first = { storeId: null, after: null, limit: 1 };
  const isAny =
    (await listUnfinishedCharges(database, first)).length > 0 ||
    (await listDisputesToUndo(database, null, 1)).length > 0 ||
    (await listInvoicesToCollect(database, first)).length > 0 ||
    (await listInvoicesWithNewMethod(database, first)).length > 0 ||
    (await listStoresWithPastDueNotices(database, 1)).length > 0;
  return isAny ? whatIsDue : null;
}

/** Runs after a payment method was replaced: charges all open invoices, oldest first, then those that are due. */
export async function chargeOpenInvoices(money: Money, storeId: Id<'store'>, now: Date): Promise<void> {
  const { database } = money.platform;
  await resumeCharges(money, storeId);
  for (const key of await listOpenInvoices(database, { storeId })) await chargeInvoice(money, key, 'open');
  const due = paginateInvoices(storeId, (walk) => listInvoicesToCharge(database, { ...walk, now, isCalendarIgnored: false }));
  for await (const key of due) await chargeInvoice(money, key, 'due');
}

export type BillingRunCommand = {
  readonly storeId: Id<'store'> | null;
  readonly minimum: Cents | null;
  readonly now: Date;
} & UnassessedStores;

/** Issues and charges what is due now, regardless of the schedule, for an operator. Returns every invoice that it touched. */
export async function runBilling(money: Money, { storeId, minimum, now, unassessed }: BillingRunCommand): Promise<readonly RunInvoice[]> {
  const { platform } = money;
  const { database } = platform;
  const failures = collectStoreFailures(platform);
  const touched = new Map<string, InvoiceKey>();
  const touch = (key: InvoiceKey) => void touched.set(key.invoiceId, { storeId: key.storeId, invoiceId: key.invoiceId });
  for (const key of await listInvoicesOfRun(money, { storeId, now })) touch(key);
  await failures.of(storeId, () => resumeCharges(money, storeId));
  await failures.of(storeId, () => undoDisputes(platform, storeId));
  await failures.of(storeId, () => collectInvoices(platform, storeId));
  // Charges the invoices of one store in sequence, oldest first: no invoice is charged while an older one is unpaid.
  const charge = async (keys: readonly InvoiceKey[]) => {
    for (const key of keys) {
      touch(key);
      await failures.of(key.storeId, () => chargeInvoice(money, key, 'due or issued'));
    }
  };
  // Charges each invoice right after it is issued, while its pages are cached: PostgreSQL writes a full page image at the first change
  // after a checkpoint.
  await forEachConcurrently(storesOf(money, storeId, now), storesInParallel, (store) =>
    failures.of(store, async () => {
      requireAssessment(store, unassessed);
      const issued = await issueInvoice(money, { storeId: store, now, moment: 'now', minimum });
      if (issued !== null) await charge(await listInvoicesOfRun(money, { storeId: store, now }));
    }),
  );
  await forEachConcurrently(
    Map.groupBy(await listInvoicesOfRun(money, { storeId, now }), (key) => key.storeId).values(),
    storesInParallel,
    charge,
  );
  // The other stores are done. The run remains unfinished, and the next one resumes what is left.
  failures.raise();
  return presentInvoices(await listInvoiceStatuses(database, [...touched.values()]));
}

/** Returns what a run would touch, and writes nothing. An invoice that would be issued has no ID yet. */
export async function planBillingRun(money: Money, { storeId, minimum, now }: BillingRunCommand): Promise<readonly RunInvoice[]> {
  const { database } = money.platform;
  const planned: RunInvoice[] = [...presentInvoices(await listInvoiceStatuses(database, await listInvoicesOfRun(money, { storeId, now })))];
  for await (const store of storesOf(money, storeId, now)) {
    const { decision } = await planIssue(database, money.providers, { storeId: store, now, moment: 'now', minimum });
    if (decision.do !== 'issue') continue;
    const total = decision.amounts.totalCents;
    planned.push({ id: null, store_id: publicId('store', store), total_cents: total, state: 'issued' });
  }
  return planned;
}

/** Lists the invoices that are due to be charged or are being charged. */
async function listInvoicesOfRun(
  { platform }: Money,
  { storeId, now }: Pick<BillingRunCommand, 'storeId' | 'now'>,
): Promise<readonly InvoiceKey[]> {
  const { database } = platform;
  const keys: InvoiceKey[] = [];
  for await (const key of paginateInvoices(storeId, (walk) => listInvoicesBeingCharged(database, walk))) keys.push(key);
  const due = paginateInvoices(storeId, (walk) => listInvoicesToCharge(database, { ...walk, now, isCalendarIgnored: true }));
  for await (const key of due) keys.push(key);
  return keys;
}

async function* storesOf({ platform }: Money, storeId: Id<'store'> | null, now: Date): AsyncGenerator<Id<'store'>> {
  if (storeId === null) yield* paginateStoresToInvoice(platform.database, now);
  else yield storeId;
}

const presentInvoices = (statuses: Awaited<ReturnType<typeof listInvoiceStatuses>>): readonly RunInvoice[] =>
  statuses.map(({ storeId, invoiceId, totalCents, state }) => ({
    id: publicId('inv', invoiceId),
    store_id: publicId('store', storeId),
    total_cents: totalCents,
    state,
  }));

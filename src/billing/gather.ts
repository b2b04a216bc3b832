import { billCommissions, lockBillable, type BilledCommission } from '../commissions/billing-sql.ts';
import { move, noCreator, ways, type Posting, type Source } from '../ledger/posting.ts';
import { creditOf, post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { documentCentsMax, fitting, noCents, sum, type Cents } from '../platform/money.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays } from '../platform/time.ts';
import { daysToLook } from './calendar.ts';
import { startOfDay } from './decide-charge.ts';
import { amountsOf } from './decide-issue.ts';
import type { Bill, Invoice, InvoiceKey } from './invoice.ts';
import { forgetGathering, gatheredOf, insertLines, issue, lockGathering } from './invoices-sql.ts';
import { linesPerTransactionMax } from './parts.ts';
import { beginPart } from './parts-sql.ts';
import { tellFinance } from './letters-out.ts';
import { invoiceLetter } from './letters.ts';
import { countInvoice, lockStoreBilling, markArchivingBilled, readBillingSettings } from './settings-sql.ts';

const partsMax = 10_000;

type Gathering = InvoiceKey & { readonly now: Date; readonly archivedAt: Date | null };

/**
 * Puts all that is billable on one invoice and issues it. From the moment a commission is on it, a reversal comes too late.
 * A death at any point leaves books that are right, and the next run goes on with the same invoice. Null: nothing was left,
 * or another run was first.
 */
export async function gatherAndIssue(platform: Platform, gathering: Gathering): Promise<Invoice | null> {
  const { database, reached } = platform;
  const { storeId, invoiceId, now } = gathering;
  const key = { storeId, invoiceId };
  let after: Id<'com'> | null = null;
  let room = documentCentsMax - (await gatheredOf(database, storeId)).cents;
  for (let part = 0; part < partsMax; part++) {
    const lines: readonly BilledCommission[] | null = await database.transaction((tx) => gatherPart(tx, key, { now, after, room }));
    if (lines === null) return null;
    room -= sum(lines.map(({ amountCents }) => amountCents));
    reached('billing: a part is gathered');
    // Fewer where nothing is left, or where the invoice is full: the rest is billed with the next one.
    if (lines.length < linesPerTransactionMax) break;
    after = lines.at(-1)?.commissionId ?? null;
  }
  const issued = await database.transaction((tx) => issueGathered(tx, platform, gathering));
  reached('billing: an invoice is issued');
  return issued;
}

/** `room`: how much the invoice still takes. */
type Stretch = { readonly now: Date; readonly after: Id<'com'> | null; readonly room: bigint };

/** The books hold after each part: it is the source of its own transfers. Null: it was issued by somebody else meanwhile. */
async function gatherPart(tx: Transaction, key: InvoiceKey, { now, after, room }: Stretch): Promise<readonly BilledCommission[] | null> {
  const { storeId, invoiceId } = key;
  if (!(await lockGathering(tx, key))) return null;
  const found = await lockBillable(tx, storeId, now, { after, limit: linesPerTransactionMax });
  const lines = fitting(found, ({ amountCents }) => amountCents, room);
  if (lines.length === 0) return lines;
  const partId = await beginPart(tx, key, now);
  await billCommissions(tx, { storeId, commissionIds: lines.map(({ commissionId }) => commissionId) }, invoiceId);
  await insertLines(tx, { ...key, partId, lines });
  const fact = { source: { kind: 'invoice', id: partId }, at: now } as const;
  await post(
    tx,
    perCreator(lines).flatMap(({ creatorId, amount }) => move({ storeId, creatorId, amount }, ways.billed, fact)),
  );
  return lines;
}

type Amount = { readonly creatorId: Id<'crt'>; readonly amountCents: Cents };

/** One transfer for each creator of a part, however many commissions it has. */
export function perCreator(lines: readonly Amount[]): ReadonlyArray<{ readonly creatorId: Id<'crt'>; readonly amount: Cents }> {
  const sums = new Map<Id<'crt'>, Cents>();
  for (const { creatorId, amountCents } of lines) sums.set(creatorId, sum([sums.get(creatorId) ?? noCents, amountCents]));
  return [...sums].map(([creatorId, amount]) => ({ creatorId, amount }));
}

/** Number, fee and credit are taken under the lock of the store's row, so that no two invoices share any of them. */
async function issueGathered(tx: Transaction, platform: Platform, gathered: Gathering): Promise<Invoice | null> {
  const { storeId, now, archivedAt } = gathered;
  if (!(await lockGathering(tx, gathered))) return null;
  const { nextInvoiceNumber } = await lockStoreBilling(tx, storeId);
  if (archivedAt !== null) await markArchivingBilled(tx, storeId, archivedAt);
  const lines = await gatheredOf(tx, storeId);
  if (lines.count === 0n) {
    await forgetGathering(tx, gathered);
    return null;
  }
  const { fee } = await readBillingSettings(tx, now);
  const amounts = amountsOf(lines.cents, { fee, credit: await creditOf(tx, storeId) });
  const bill: Bill = { number: nextInvoiceNumber, issuedAt: now, linesCount: Number(lines.count), feeBasisPoints: fee, ...amounts };
  await countInvoice(tx, storeId);
  const invoice = await issue(tx, gathered, bill, plusDays(startOfDay(now), daysToLook));
  await post(tx, billPostings(invoice, now));
  await tellFinance(tx, platform, storeId, (facts) => invoiceLetter({ ...facts, invoice }));
  return invoice;
}

/** The store's own money beside that of its creators. */
function billPostings({ storeId, invoiceId, feeCents, creditCents }: Invoice, at: Date): readonly Posting[] {
  const source: Source = { kind: 'invoice', id: invoiceId };
  return [
    ...move({ storeId, creatorId: noCreator, amount: feeCents }, ways.feeBilled, { source, at }),
    ...move({ storeId, creatorId: noCreator, amount: creditCents }, ways.creditUsed, { source, at }),
  ];
}

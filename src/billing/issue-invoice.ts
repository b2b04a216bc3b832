import { billableTotals, invoiceCommissions, type CommissionAmount, lockBillableCommissions } from '../commissions/billing-sql.ts';
import { findStoreCredit, postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import { paymentMethodsOf } from '../merchants/payment-methods-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { type Id, publicId } from '../core/ids.ts';
import { cents, type Cents, documentCentsMax, minCents, noCents, sum, takeWithinLimit } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { Money, Providers } from '../payments/providers.ts';
import { amountsOf, reviewDays, decideIssue, type IssueDecision, type IssueFacts, type IssueMoment } from './decide-issue.ts';
import type { IssuedAmounts, Invoice, InvoiceKey } from './invoice.ts';
import {
  insertDraft,
  insertInvoicePart,
  findDraft,
  deleteDraft,
  sumDraftLines,
  hasUnpaid,
  insertLines,
  markIssued,
  lockDraft,
} from './invoices-sql.ts';
import {
  archivingBilledAt,
  incrementInvoiceNumber,
  lockStoreBilling,
  markArchivingBilled,
  readBillingSettings,
} from './billing-settings-sql.ts';
import { noCreator, type Posting, type Source, storePosting, storeTransfers } from '../ledger/store-postings.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, startOfDay } from '../core/time.ts';
import { invoiceEmail, notifyFinance } from './billing-emails.ts';

export type IssueCommand = {
  readonly storeId: Id<'store'>;
  readonly now: Date;
  readonly moment: IssueMoment;
  /** Instead of the setting; null: the setting. */
  readonly minimum: Cents | null;
};

export type IssuePlan = { readonly decision: IssueDecision; readonly facts: IssueFacts; readonly archivedAt: Date | null };

/** Returns what would be issued now, and why or why not. Writes nothing, so a dry run uses it for every store. */
export async function planIssue(db: Queryable, providers: Providers, command: IssueCommand): Promise<IssuePlan> {
  const { storeId, now, moment, minimum } = command;
  const store = await findStore(db, storeId);
  invariant(store, 'stores are never deleted');
  const draft = await sumDraftLines(db, storeId);
  const billable = await billableTotals(db, storeId, now);
  const settings = await readBillingSettings(db, now);
  const { archivedAt } = store;
  const billedAt = archivedAt === null ? null : await archivingBilledAt(db, storeId);
  const facts: IssueFacts = {
    now,
    moment,
    isBegun: draft.count > 0n,
    linesCents: minCents(sum([draft.cents, billable.cents]), documentCentsMax),
    since: billable.since,
    creditCents: await findStoreCredit(db, storeId),
    isUnpaid: await hasUnpaid(db, storeId),
    isArchivingUnbilled: archivedAt !== null && billedAt?.getTime() !== archivedAt.getTime(),
    settings: minimum === null ? settings : { ...settings, minimum },
    chargeMin: await chargeMinOf(db, providers, storeId),
  };
  return { decision: decideIssue(facts), facts, archivedAt };
}

const defaultChargeMin = cents(50);

export async function chargeMinOf(db: Queryable, providers: Providers, storeId: Id<'store'>): Promise<Cents> {
  const [usual] = await paymentMethodsOf(db, storeId);
  return providers.chargeProvider(usual?.provider ?? providers.standard)?.chargeMin ?? defaultChargeMin;
}

/** Public IDs of the stores whose risk could not be assessed before the run. */
export type UnassessedStores = { readonly unassessed?: ReadonlySet<string> };

/** Fails this store's part of a run, so that nothing is invoiced before an assessment succeeds. */
export function requireAssessment(storeId: Id<'store'>, unassessed: ReadonlySet<string> | undefined): void {
  if (unassessed?.has(publicId('store', storeId))) throw new Error('the risk of the store could not be assessed');
}

/** Issues an invoice if one is due. Null: none is due. */
export async function issueInvoice({ platform, providers }: Money, command: IssueCommand): Promise<Invoice | null> {
  const { storeId, now } = command;
  const { database, reached } = platform;
  const begun = await database.transaction((tx) => startDraft(tx, providers, command));
  if (begun === null) return null;
  reached('billing: an invoice is begun');
  return fillAndIssueDraft(platform, { storeId, ...begun, now });
}

type StartedDraft = { readonly invoiceId: Id<'inv'>; readonly archivedAt: Date | null };

/** Decides under the lock on the store's billing, so that of two runs the second finds the first one's draft, or nothing left. */
async function startDraft(tx: Transaction, providers: Providers, command: IssueCommand): Promise<StartedDraft | null> {
  const { storeId, now } = command;
  await lockStoreBilling(tx, storeId);
  const plan = await planIssue(tx, providers, command);
  const archivedAt = plan.facts.isArchivingUnbilled ? plan.archivedAt : null;
  if (plan.decision.do === 'issue') {
    const invoiceId = (await findDraft(tx, storeId)) ?? (await insertDraft(tx, storeId, now));
    return { invoiceId, archivedAt };
  }
  if (archivedAt !== null && isArchivingDone(plan)) await markArchivingBilled(tx, storeId, archivedAt);
  return null;
}

/** The archived store had nothing to invoice, or less than a provider charges. A past-due store pays its open invoices first. */
const isArchivingDone = ({ decision, facts }: IssuePlan): boolean =>
  facts.isArchivingUnbilled && (decision.why === 'nothing' || decision.why === 'below_provider_minimum');

/** Limits how long one transaction holds its row locks. */
export const linesPerTransactionMax = 1_000;

const draftChunksMax = 10_000;

type Draft = InvoiceKey & { readonly now: Date; readonly archivedAt: Date | null };

/**
 * Adds all billable commissions to one draft and issues it. A commission on a draft can no longer be reversed by the merchant. A crash at
 * any point leaves a balanced ledger, and the next run resumes the same draft. Null: nothing was left, or another run issued it.
 */
export async function fillAndIssueDraft(platform: Platform, draft: Draft): Promise<Invoice | null> {
  const { database, reached } = platform;
  const { storeId, invoiceId, now } = draft;
  const key = { storeId, invoiceId };
  let after: Id<'com'> | null = null;
  let capacity = documentCentsMax - (await sumDraftLines(database, storeId)).cents;
  for (let part = 0; part < draftChunksMax; part++) {
    const lines: readonly CommissionAmount[] | null = await database.transaction((tx) =>
      addChunkToDraft(tx, key, { now, after, capacity }),
    );
    if (lines === null) return null;
    capacity -= sum(lines.map(({ amountCents }) => amountCents));
    reached('billing: a chunk is drafted');
    // A short chunk means that nothing is left or that the invoice is full; the next invoice takes the rest.
    if (lines.length < linesPerTransactionMax) break;
    after = lines.at(-1)?.commissionId ?? null;
  }
  const issued = await database.transaction((tx) => issueDraft(tx, platform, draft));
  reached('billing: an invoice is issued');
  return issued;
}

/** `capacity`: the amount that still fits on the invoice. */
type Chunk = { readonly now: Date; readonly after: Id<'com'> | null; readonly capacity: bigint };

/** Each chunk is the source of its own transfers, so the ledger balances after each. Null: another run issued the draft meanwhile. */
async function addChunkToDraft(
  tx: Transaction,
  key: InvoiceKey,
  { now, after, capacity }: Chunk,
): Promise<readonly CommissionAmount[] | null> {
  const { storeId, invoiceId } = key;
  if (!(await lockDraft(tx, key))) return null;
  const found = await lockBillableCommissions(tx, storeId, now, { after, limit: linesPerTransactionMax });
  const lines = takeWithinLimit(found, ({ amountCents }) => amountCents, capacity);
  if (lines.length === 0) return lines;
  const partId = await insertInvoicePart(tx, key, now);
  await invoiceCommissions(tx, { storeId, commissionIds: lines.map(({ commissionId }) => commissionId) }, invoiceId);
  await insertLines(tx, { ...key, partId, lines });
  const fact = { source: { kind: 'invoice', id: partId }, at: now } as const;
  await postStoreTransfers(
    tx,
    sumByCreator(lines).flatMap(({ creatorId, amount }) => storePosting({ storeId, creatorId, amount }, storeTransfers.billed, fact)),
  );
  return lines;
}

type Amount = { readonly creatorId: Id<'crt'>; readonly amountCents: Cents };

/** One transfer per creator and chunk, however many commissions the creator has in it. */
export function sumByCreator(lines: readonly Amount[]): ReadonlyArray<{ readonly creatorId: Id<'crt'>; readonly amount: Cents }> {
  const sums = new Map<Id<'crt'>, Cents>();
  for (const { creatorId, amountCents } of lines) sums.set(creatorId, sum([sums.get(creatorId) ?? noCents, amountCents]));
  return [...sums].map(([creatorId, amount]) => ({ creatorId, amount }));
}

/** Takes number, fee, and credit under the lock on the store's billing, so that no two invoices share them. */
async function issueDraft(tx: Transaction, platform: Platform, draft: Draft): Promise<Invoice | null> {
  const { storeId, now, archivedAt } = draft;
  if (!(await lockDraft(tx, draft))) return null;
  const { nextInvoiceNumber } = await lockStoreBilling(tx, storeId);
  if (archivedAt !== null) await markArchivingBilled(tx, storeId, archivedAt);
  const lines = await sumDraftLines(tx, storeId);
  if (lines.count === 0n) {
    await deleteDraft(tx, draft);
    return null;
  }
  const { fee } = await readBillingSettings(tx, now);
  const amounts = amountsOf(lines.cents, { fee, credit: await findStoreCredit(tx, storeId) });
  const issuedAmounts: IssuedAmounts = {
    number: nextInvoiceNumber,
    issuedAt: now,
    linesCount: Number(lines.count),
    feeBasisPoints: fee,
    ...amounts,
  };
  await incrementInvoiceNumber(tx, storeId);
  const invoice = await markIssued(tx, draft, issuedAmounts, plusDays(startOfDay(now), reviewDays));
  await postStoreTransfers(tx, postingsOfIssuedInvoice(invoice, now));
  await notifyFinance(tx, platform, storeId, (facts) => invoiceEmail({ ...facts, invoice }));
  return invoice;
}

/** Transfers of the store's own money: the fee and the credit used. */
function postingsOfIssuedInvoice({ storeId, invoiceId, feeCents, creditCents }: Invoice, at: Date): readonly Posting[] {
  const source: Source = { kind: 'invoice', id: invoiceId };
  return [
    ...storePosting({ storeId, creatorId: noCreator, amount: feeCents }, storeTransfers.feeBilled, { source, at }),
    ...storePosting({ storeId, creatorId: noCreator, amount: creditCents }, storeTransfers.creditUsed, { source, at }),
  ];
}

import { billableOf } from '../commissions/billing-sql.ts';
import { creditOf } from '../ledger/sql.ts';
import { paymentMethodsOf } from '../merchants/payment-methods-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { cents, documentCentsMax, smaller, sum, type Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { Money, Providers } from '../providers/providers.ts';
import { decideIssue, type IssueDecision, type IssueFacts, type IssueMoment } from './decide-issue.ts';
import { gatherAndIssue } from './gather.ts';
import type { Invoice } from './invoice.ts';
import { beginGathering, findGathering, gatheredOf, hasUnpaid } from './invoices-sql.ts';
import { archivingBilledAt, lockStoreBilling, markArchivingBilled, readBillingSettings } from './settings-sql.ts';

export type IssueAsked = {
  readonly storeId: Id<'store'>;
  readonly now: Date;
  readonly moment: IssueMoment;
  /** Instead of the setting; null: the setting. */
  readonly minimum: Cents | null;
};

export type IssuePlan = { readonly decision: IssueDecision; readonly facts: IssueFacts; readonly archivedAt: Date | null };

/** What would be issued now, and why or why not. Writes nothing: a dry run is this, for every store. */
export async function planIssue(db: Queryable, providers: Providers, asked: IssueAsked): Promise<IssuePlan> {
  const { storeId, now, moment, minimum } = asked;
  const store = await findStore(db, storeId);
  must(store, 'stores are never deleted');
  const gathered = await gatheredOf(db, storeId);
  const billable = await billableOf(db, storeId, now);
  const settings = await readBillingSettings(db, now);
  const { archivedAt } = store;
  const billedAt = archivedAt === null ? null : await archivingBilledAt(db, storeId);
  const facts: IssueFacts = {
    now,
    moment,
    isBegun: gathered.count > 0n,
    linesCents: smaller(sum([gathered.cents, billable.cents]), documentCentsMax),
    since: billable.since,
    creditCents: await creditOf(db, storeId),
    isUnpaid: await hasUnpaid(db, storeId),
    isArchivingUnbilled: archivedAt !== null && billedAt?.getTime() !== archivedAt.getTime(),
    settings: minimum === null ? settings : { ...settings, minimum },
    chargeMin: await chargeMinOf(db, providers, storeId),
  };
  return { decision: decideIssue(facts), facts, archivedAt };
}

const chargeMinUsual = cents(50);

export async function chargeMinOf(db: Queryable, providers: Providers, storeId: Id<'store'>): Promise<Cents> {
  const [usual] = await paymentMethodsOf(db, storeId);
  return providers.chargeProvider(usual?.provider ?? providers.standard)?.chargeMin ?? chargeMinUsual;
}

/** Issues an invoice, if it is time and worth it. Null: not now. */
export async function issueInvoice({ platform, providers }: Money, asked: IssueAsked): Promise<Invoice | null> {
  const { storeId, now } = asked;
  const { database, reached } = platform;
  const begun = await database.transaction((tx) => begin(tx, providers, asked));
  if (begun === null) return null;
  reached('billing: an invoice is begun');
  return gatherAndIssue(platform, { storeId, ...begun, now });
}

type Begun = { readonly invoiceId: Id<'inv'>; readonly archivedAt: Date | null };

/** Decided under the lock of the store's billing: of two runs the second finds the first one's invoice, or nothing left. */
async function begin(tx: Transaction, providers: Providers, asked: IssueAsked): Promise<Begun | null> {
  const { storeId, now } = asked;
  await lockStoreBilling(tx, storeId);
  const plan = await planIssue(tx, providers, asked);
  const archivedAt = plan.facts.isArchivingUnbilled ? plan.archivedAt : null;
  if (plan.decision.do === 'issue') {
    const invoiceId = (await findGathering(tx, storeId)) ?? (await beginGathering(tx, storeId, now));
    return { invoiceId, archivedAt };
  }
  if (archivedAt !== null && isArchivingDone(plan)) await markArchivingBilled(tx, storeId, archivedAt);
  return null;
}

/** There was nothing to bill for it, or too little for any charge. What a past-due store owes comes first. */
const isArchivingDone = ({ decision, facts }: IssuePlan): boolean =>
  facts.isArchivingUnbilled && (decision.why === 'nothing' || decision.why === 'below_provider_minimum');

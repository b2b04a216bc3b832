import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../src/clicks/signing-keys.ts';
import { fillAndIssueDraft } from '../../src/billing/issue-invoice.ts';
import { insertDraft } from '../../src/billing/invoices-sql.ts';
import { lockStoreBilling } from '../../src/billing/billing-settings-sql.ts';
import { insertTestLink } from '../../src/clicks/test-links-sql.ts';
import { type ClickKind, mintClickId } from '../../src/contract/click-id.ts';
import { lostRollups } from '../../src/commissions/rollups.ts';
import { createCreator } from '../../src/creators/create-creator.ts';
import { setSuspendedInStore } from '../../src/creators/suspended-creators-sql.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import { createLink } from '../../src/creators/links.ts';
import { findRateSubjects } from '../../src/creators/rate-subjects-sql.ts';
import { addMember } from '../../src/creators/members.ts';
import { moveMember } from '../../src/creators/move-member.ts';
import { addLinkRollups } from '../../src/rollups/rollups-sql.ts';
import { accrualReversal } from '../../src/ledger/store-postings.ts';
import { postStoreTransfers } from '../../src/ledger/store-ledger-sql.ts';
import { insertGroup } from '../../src/merchants/member-groups-sql.ts';
import { noSubjects } from '../../src/merchants/decide-terms.ts';
import { createPostbackKey } from '../../src/merchants/postback-keys.ts';
import { addTerms } from '../../src/merchants/program-terms.ts';
import { createProgram, publishProgram } from '../../src/merchants/programs.ts';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { createStore } from '../../src/merchants/stores.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { sql } from '../../src/db/sql.ts';
import { isRefusal, type Refusal } from '../../src/http/responses.ts';
import { type Id, newId, publicId } from '../../src/core/ids.ts';
import { cents, type Cents } from '../../src/core/money.ts';
import { clicksOnly } from '../../src/merchants/terms.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { reviewByIds } from '../../src/review/bulk-review.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Click } from './model-books.ts';
import { attributionDays, holdDays, type OrderRule, type SubscriptionRule, type TermsVariant, termsVariants } from './terms.ts';

/** Created with the modules' own functions, because a seed with its hashed passwords would take longer than the history. */
export type ModelStore = {
  readonly storeId: Id<'store'>;
  readonly publicStoreId: string;
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly creatorId: Id<'crt'>;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
  readonly memberId: Id<'mem'>;
  readonly groupId: Id<'grp'>;
};

export async function createModelStore({ database, service }: Merchant, termsFrom: Date): Promise<ModelStore> {
  const at = service.platform.clock.now();
  const siteUrl = `https://shop-${randomBytes(6).toString('hex')}.example`;
  return database.transaction(async (tx) => {
    const creator = await createCreator(tx, { name: 'Creator', email: 'creator@example.com', sandboxMethod: null, at });
    const { creatorId } = creator;
    const store = made(await createStore(tx, { name: 'Shop', siteUrl, ownerId: null, at }));
    const { storeId, trackingKey } = store;
    const { key } = made(await createPostbackKey(tx, { storeId, at }));
    await turnTrackingOn(tx, storeId, at);
    const program = made(await createProgram(tx, { storeId, name: 'Program', landingUrl: siteUrl, attributionDays, holdDays, at }));
    const { programId } = program;
    const groupId = newId<'grp'>(at);
    await insertGroup(tx, { storeId, programId, groupId, name: 'Group', createdAt: at });
    const { memberId } = made(await addMember(tx, { storeId, programId, creatorId, at }));
    made(await addTerms(tx, program, draftOf({ memberId, groupId }, 0, termsFrom), { subjects: noSubjects, at }));
    made(await publishProgram(tx, program, at));
    const { linkNumber } = made(await createLink(tx, { storeId, programId, creatorId, destinationUrl: null, code: null, at }));
    const ids = { storeId, publicStoreId: publicId('store', storeId), creatorId, programId, linkNumber, memberId, groupId };
    return { ...ids, trackingKey, postbackKey: key };
  });
}

/** Returns the time at which the terms begin. */
export async function changeTerms({ database, service }: Merchant, store: ModelStore, variant: number): Promise<number> {
  const at = service.platform.clock.now();
  await database.transaction(async (tx) => {
    const draft = draftOf(store, variant, undefined);
    made(await addTerms(tx, store, draft, { subjects: await findRateSubjects(tx, store, draft), at }));
  });
  return at.getTime();
}

/** Returns the time of the move. */
export async function moveCreator({ database, service }: Merchant, store: ModelStore, isIn: boolean): Promise<number> {
  const at = service.platform.clock.now();
  const groupId = isIn ? publicId('grp', store.groupId) : null;
  await database.transaction(async (tx) => made(await moveMember(tx, { ...store, groupId, at })));
  return at.getTime();
}

const draftOf = ({ memberId, groupId }: Pick<ModelStore, 'memberId' | 'groupId'>, variant: number, effectiveFrom: Date | undefined) => {
  const terms = termsVariants[variant % termsVariants.length];
  invariant(terms, 'there is always a variant');
  const rate = ({ product_id, basis_points, flat_cents }: OrderRule) => ({
    productId: product_id ?? null,
    basisPoints: basis_points ?? null,
    flatCents: flat_cents ?? null,
  });
  const rulesOf = ({
    order_rules: orders,
    subscription_rules: subscriptions,
  }: Pick<TermsVariant, 'order_rules' | 'subscription_rules'>) => ({
    orderRules: orders.map(rate),
    subscriptionRules: subscriptions.map((rule: SubscriptionRule) => ({
      ...rate(rule),
      priceId: rule.price_id ?? null,
      maxInvoices: rule.max_invoices ?? null,
      maxMonths: rule.max_months,
    })),
  });
  const ownRates = (terms.own_rates ?? []).map((own) => ({
    groupId: own.of === 'group' ? publicId('grp', groupId) : null,
    memberId: own.of === 'member' ? publicId('mem', memberId) : null,
    ...rulesOf(own),
  }));
  const leads = terms.leads.map(({ kind, flat_cents, max_per_month }) => ({
    kind,
    amount: cents(flat_cents),
    perMonthMax: max_per_month ?? null,
  }));
  return { effectiveFrom, pays: terms.pays, ...rulesOf(terms), ownRates, attribution: { ...clicksOnly, leads } };
};

export type Minted = Click & { readonly text: string };
type Minting = Pick<ModelStore, 'storeId' | 'linkNumber'> & { readonly kind: ClickKind; readonly at: Date };

/** Creates a click id for the given time; an ordinary click needs no row. */
export async function mintClick({ database }: Merchant, ring: KeyRing, { storeId, linkNumber, kind, at }: Minting): Promise<Minted> {
  // The clock of these histories skips days, and each month has a new key.
  await ring.refresh();
  const { text, clickId } = mintClickId({ kind, at, linkNumber: kind === 'test' ? 0n : linkNumber, keys: ring.keys() });
  const expiresAt = new Date(at.getTime() + dayMs);
  if (kind === 'test') {
    const link = { storeId, testLinkId: newId<'tlink'>(at), clickId, url: 'https://shop.example', createdAt: at, expiresAt };
    await insertTestLink(database, link);
  }
  return { text, kind: kind === 'test' ? 'test' : 'live', at: at.getTime(), expiresAt: expiresAt.getTime() };
}

export async function suspend({ database, service }: Merchant, { storeId, creatorId }: ModelStore, isSuspended: boolean): Promise<void> {
  const at = isSuspended ? service.platform.clock.now() : null;
  await setSuspended(database, { creatorId, at });
  await setSuspendedInStore(database, { storeId, creatorId }, at);
}

/**
 * Approves commissions that are pending, not on hold, and above 0, and issues an invoice for them. The clock moves on first, because an
 * order may be a few minutes ahead.
 */
export async function issue({ database, service }: Merchant, { storeId }: ModelStore): Promise<void> {
  const { platform } = service;
  await moveSandboxClock(database, platform.clock, new Date(platform.clock.now().getTime() + 4 * minuteMs));
  const now = platform.clock.now();
  const pending = await database.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and state = 'pending' and held_reason is null and amount_cents > 0`);
  if (pending.length === 0) return;
  const by = { actor: 'history', name: 'a history' };
  const invoiceId = await database.transaction(async (tx) => {
    const review = { storeId, action: { do: 'approve', note: null }, by, now: () => now } as const;
    await reviewByIds(
      tx,
      review,
      pending.map(({ commissionId }) => commissionId),
    );
    await lockStoreBilling(tx, storeId);
    return insertDraft(tx, storeId, now);
  });
  await fillAndIssueDraft(platform, { storeId, invoiceId, now, archivedAt: null });
}

export const release = ({ database }: Merchant, { storeId }: ModelStore) =>
  database.run(sql`
    update commissions set held_reason = null, held_by = null, held_since = null where store_id = ${storeId} and held_reason is not null`);

export async function reject({ database, service }: Merchant, { storeId, creatorId }: ModelStore): Promise<void> {
  const at = service.platform.clock.now();
  await database.transaction(async (tx) => {
    const rejected = await tx.all<Parameters<typeof lostRollups>[0][number]>(sql`
      update commissions set state = 'rejected', rejected_at = ${at}, rejected_reason = 'fraud'
      where store_id = ${storeId} and state = 'pending' and held_reason is null
      returning store_id, link_number, occurred_at, eligible_cents, amount_cents`);
    const postings = rejected.flatMap(({ amountCents }) =>
      accrualReversal({ storeId, creatorId, amount: amountCents }, { kind: 'decision', id: newId(at) }, at),
    );
    await postStoreTransfers(tx, postings);
    await addLinkRollups(tx, lostRollups(rejected, 1n));
  });
}

/** The stored money in the format of the model. */
export async function moneyOf({ database }: Merchant, { storeId }: ModelStore) {
  const transfers = await database.all<{ debit: string; credit: string; amountCents: Cents }>(sql`
    select debit, credit, amount_cents from transfers where store_id = ${storeId}`);
  const sumOf = (side: 'debit' | 'credit', account: string) =>
    transfers.reduce((total, transfer) => total + (transfer[side] === account ? Number(transfer.amountCents) : 0), 0);
  // A job collects an invoice of which too little is left to charge; until then its commissions are billed.
  const commissions = await database.all<{ what: string; amountCents: bigint; state: string; heldReason: string | null }>(sql`
    select coalesce(r.relationship_id || ' ', '') || c.source_text as what, c.amount_cents,
      case c.state when 'collected' then 'billed' else c.state end as state, c.held_reason
    from commissions c
    left join relationship_invoices i on i.store_id = c.store_id and i.commission_id = c.commission_id
    left join relationships r on r.store_id = i.store_id and r.binding_id = i.binding_id
    where c.store_id = ${storeId}`);
  return {
    expectedCents: sumOf('debit', 'expected') - sumOf('credit', 'expected'),
    toCreatorsCents: sumOf('credit', 'to_creators') - sumOf('debit', 'to_creators'),
    commissions: commissions
      .map(({ what, amountCents, state, heldReason }) => `${what}: ${amountCents} ${state} ${heldReason ?? '-'}`)
      .sort(),
  };
}

function made<Made>(result: Made | Refusal): Made {
  if (isRefusal(result)) throw new Error(`the store was rejected: ${result.message} ${JSON.stringify(result.errors)}`);
  return result;
}

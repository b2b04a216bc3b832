import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../src/clicks/signing-keys.ts';
import { fillAndIssueDraft } from '../../src/billing/issue-invoice.ts';
import { collectInvoices } from '../../src/billing/collect-invoice.ts';
import { chargeInvoice } from '../../src/billing/charge-invoice.ts';
import { setPaymentMethod } from '../../src/merchants/payment-methods-sql.ts';
import { openProviders, type Money } from '../../src/payments/providers.ts';
import { deliverStoreEarnings } from '../../src/payouts/deliver-earnings.ts';
import { payCreator } from '../../src/payouts/run-payouts.ts';
import { insertDraft } from '../../src/billing/invoices-sql.ts';
import { lockStoreBilling } from '../../src/billing/billing-settings-sql.ts';
import { insertTestLink } from '../../src/clicks/test-links-sql.ts';
import { type ClickKind, mintClickId } from '../../src/contract/click-id.ts';
import { changeDiscountCode, createDiscountCode } from '../../src/creators/discount-codes.ts';
import type { CodeStatus } from '../../src/creators/decide-code-change.ts';
import { createCreator } from '../../src/creators/create-creator.ts';
import { setSuspendedInStore } from '../../src/creators/suspended-creators-sql.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import { createLink } from '../../src/creators/links.ts';
import { findRateSubjects } from '../../src/creators/rate-subjects-sql.ts';
import { addMember } from '../../src/creators/members.ts';
import { moveMember } from '../../src/creators/move-member.ts';
import { insertGroup } from '../../src/merchants/member-groups-sql.ts';
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
import type { AttributionTerms } from '../../src/merchants/terms.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { addBonus } from '../../src/bonuses/add-bonus.ts';
import type { TermsDraft } from '../../src/merchants/decide-terms.ts';
import { reviewByIds } from '../../src/review/bulk-review.ts';
import { hashOf, type Merchant } from '../support/merchant.ts';
import type { Click } from './model-books.ts';
import { canonical } from './model-earning.ts';
import {
  attributionDays,
  codesOf,
  groups,
  holdDays,
  type Group,
  type OrderRule,
  type Owner,
  type Rules,
  type SubscriptionRule,
  type TermsVariant,
} from './terms.ts';

/** Created with the modules' own functions, because a seed with its hashed passwords would take longer than the history. */
export type ModelStore = {
  readonly storeId: Id<'store'>;
  readonly publicStoreId: string;
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly creatorId: Id<'crt'>;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
  readonly memberIds: Readonly<Record<Owner, Id<'mem'>>>;
  readonly groupIds: Readonly<Record<Group, Id<'grp'>>>;
  readonly benId: Id<'crt'>;
  readonly codeIds: ReadonlyMap<string, Id<'code'>>;
  readonly createdAt: number;
};

type Beginning = { readonly terms: TermsVariant; readonly termsFrom: Date };

export async function createModelStore({ database, service }: Merchant, { terms, termsFrom }: Beginning): Promise<ModelStore> {
  const at = service.platform.clock.now();
  const siteUrl = `https://shop-${randomBytes(6).toString('hex')}.example`;
  return database.transaction(async (tx) => {
    const creator = await createCreator(tx, { name: 'Creator', email: 'creator@example.com', sandboxMethod: 'ok', at });
    const { creatorId } = creator;
    const store = made(await createStore(tx, { name: 'Shop', siteUrl, ownerId: null, at }));
    const { storeId, trackingKey } = store;
    await setPaymentMethod(tx, { storeId, provider: 'sandbox', instrument: 'ok', at });
    const { key } = made(await createPostbackKey(tx, { storeId, at }));
    await turnTrackingOn(tx, storeId, at);
    const program = made(await createProgram(tx, { storeId, name: 'Program', landingUrl: siteUrl, attributionDays, holdDays, at }));
    const { programId } = program;
    const groupIds = { core: newId<'grp'>(at), vip: newId<'grp'>(at) };
    for (const name of groups) await insertGroup(tx, { storeId, programId, groupId: groupIds[name], name, createdAt: at });
    const { creatorId: benId } = await createCreator(tx, { name: 'Ben', email: 'ben@example.com', sandboxMethod: 'ok', at });
    const { memberId } = made(await addMember(tx, { storeId, programId, creatorId, at }));
    const memberIds = { ada: memberId, ben: made(await addMember(tx, { storeId, programId, creatorId: benId, at })).memberId };
    const draft = draftOf({ memberIds, groupIds }, terms, termsFrom);
    made(await addTerms(tx, program, draft, { subjects: await findRateSubjects(tx, program, draft), at }));
    made(await publishProgram(tx, program, at));
    const { linkNumber } = made(await createLink(tx, { storeId, programId, creatorId, destinationUrl: null, code: null, at }));
    const codeIds = new Map<string, Id<'code'>>();
    for (const { name: code, owner, isShared, limit, from, until } of codesOf(at.getTime())) {
      const times = { validFrom: new Date(from), validUntil: until === null ? null : new Date(until), at };
      const fields = { storeId, programId, creatorId: owner === 'ada' ? creatorId : benId, code, isShared, ordersPerCustomer: limit };
      codeIds.set(code, made(await createDiscountCode(tx, { ...fields, ...times })).codeId);
    }
    const ids = { storeId, publicStoreId: publicId('store', storeId), creatorId, benId, programId, linkNumber, memberIds, groupIds };
    return { ...ids, codeIds, createdAt: at.getTime(), trackingKey, postbackKey: key };
  });
}

type Change = { readonly code: string; readonly to: CodeStatus };

/** Returns the time of the change. An ended code cannot be changed. */
export async function changeCode({ database, service }: Merchant, { storeId, codeIds }: ModelStore, { code, to }: Change): Promise<number> {
  const at = service.platform.clock.now();
  const codeId = codeIds.get(code);
  invariant(codeId, 'the store has the code');
  await database.transaction((tx) => changeDiscountCode(tx, { storeId, codeId }, { status: to }, at));
  return at.getTime();
}

type Move = { readonly owner: Owner; readonly to: Group | null };

/** Returns the time of the move. */
export async function moveCreator({ database, service }: Merchant, store: ModelStore, { owner, to }: Move): Promise<number> {
  const at = service.platform.clock.now();
  const groupId = to === null ? null : publicId('grp', store.groupIds[to]);
  await database.transaction(async (tx) => made(await moveMember(tx, { ...store, memberId: store.memberIds[owner], groupId, at })));
  return at.getTime();
}

type Bonus = { readonly owner: Owner; readonly cents: number; readonly text: string };

/** Returns the time of the bonus. */
export async function addBonusTo(
  { database, service }: Merchant,
  store: ModelStore,
  { owner, cents: amount, text }: Bonus,
): Promise<number> {
  const at = service.platform.clock.now();
  const creatorId = owner === 'ada' ? store.creatorId : store.benId;
  const by = { actor: 'history', name: 'a history', creatorId: null };
  await database.transaction(async (tx) =>
    made(await addBonus(tx, { ...store, creatorId, amount: cents(amount), reason: text, orderId: null, by, at })),
  );
  return at.getTime();
}

type Subjects = Pick<ModelStore, 'memberIds' | 'groupIds'>;

/** Undefined: the terms start as early as possible. */
export function draftOf({ memberIds, groupIds }: Subjects, terms: TermsVariant, effectiveFrom: Date | undefined): TermsDraft {
  const { returning, codes, tiers, budget } = terms;
  const ownRates = (terms.own_rates ?? []).map(({ of, ...own }) => ({
    groupId: of === 'core' || of === 'vip' ? publicId('grp', groupIds[of]) : null,
    memberId: of === 'ada' || of === 'ben' ? publicId('mem', memberIds[of]) : null,
    ...rulesOf(own),
  }));
  const leads = terms.leads.map(({ kind, flat_cents, max_per_month }) => ({
    kind,
    amount: cents(flat_cents),
    perMonthMax: max_per_month ?? null,
  }));
  const attribution: AttributionTerms = {
    codes,
    returning: returning && { days: returning.days, ordersMax: returning.orders, newClick: returning.new_click },
    leads,
  };
  const { measure, period, time_zone: timeZone, tiers: list = [] } = tiers ?? {};
  return {
    effectiveFrom,
    pays: terms.pays,
    ...rulesOf(terms),
    ownRates,
    attribution,
    budget,
    goals: terms.goals,
    noticeDays: terms.notice_days,
    protectClickDays: terms.protect_click_days,
    tiers:
      measure && period && timeZone !== undefined
        ? { measure, period, timeZone, tiers: list.map(({ threshold, ...rules }) => ({ threshold, ...rulesOf(rules) })) }
        : null,
  };
}

const rulesOf = ({ order_rules: orders, subscription_rules: subscriptions }: Rules) => ({
  orderRules: orders.map(rateOf),
  subscriptionRules: subscriptions.map((rule: SubscriptionRule) => ({
    ...rateOf(rule),
    priceId: rule.price_id ?? null,
    maxInvoices: rule.max_invoices ?? null,
    maxMonths: rule.max_months,
  })),
});

function rateOf({ product_id, basis_points, flat_cents, conditions }: OrderRule) {
  const rate = { productId: product_id ?? null, basisPoints: basis_points ?? null, flatCents: flat_cents ?? null };
  if (conditions === undefined) return rate;
  const { products, new_customers: newCustomers, min_order_cents: minOrderCents, countries } = conditions;
  return { ...rate, conditions: { products, newCustomers, minOrderCents, countries } };
}

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
export async function issue({ database, service }: Merchant, { storeId }: ModelStore): Promise<number> {
  const { platform } = service;
  await moveSandboxClock(database, platform.clock, new Date(platform.clock.now().getTime() + 4 * minuteMs));
  const now = platform.clock.now();
  const pending = await database.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions where store_id = ${storeId} and state = 'pending' and amount_cents > 0`);
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
  return now.getTime();
}

/** The store pays its open invoices, and what is collected is paid to the creators. Returns what is in a payout. */
export async function payAll({ database, service: { platform } }: Merchant, store: ModelStore): Promise<ReadonlySet<string>> {
  const { storeId, creatorId, benId } = store;
  const money: Money = { platform, providers: openProviders(platform) };
  const now = platform.clock.now();
  const issued = await database.all<{ invoiceId: Id<'inv'> }>(sql`
    select invoice_id from invoices where store_id = ${storeId} and state = 'issued' order by number`);
  for (const { invoiceId } of issued) await chargeInvoice(money, { storeId, invoiceId }, 'due or issued');
  await collectInvoices(platform, storeId);
  await deliverStoreEarnings(platform, storeId, now);
  const run = { startedBy: 'history', startedByUserId: null, minimum: cents(0), isDry: false, isAssessed: () => true, now };
  for (const id of [creatorId, benId]) await payCreator(money, id, { ...run, payoutRunId: newId<'prun'>(now) });
  const paid = await database.all<{ what: string }>(sql`
    select ${whatOf(store)} as what from commissions c ${joinSources} where c.store_id = ${storeId} and c.payout_id is not null`);
  return new Set(paid.map(({ what }) => what));
}

/** Bonuses of goals have the same text for both creators. */
const whatOf = ({ creatorId }: ModelStore) => sql`
  coalesce(r.relationship_id || ' ', '')
    || case when b.goal_key is null then '' when c.creator_id = ${creatorId} then 'ada ' else 'ben ' end || c.source_text`;
const joinSources = sql`
  left join relationship_invoices i on i.store_id = c.store_id and i.commission_id = c.commission_id
  left join relationships r on r.store_id = i.store_id and r.binding_id = i.binding_id
  left join bonuses b on b.store_id = c.store_id and b.commission_id = c.commission_id`;

const by = { actor: 'history', name: 'a history' };

type Reviewing = { readonly do: 'approve' | 'reject' | 'reopen'; readonly order: string | null };

/** Reviews one order, or all commissions. Returns the time. */
export async function reviewCommissions(
  { database, service }: Merchant,
  { storeId }: ModelStore,
  { do: name, order }: Reviewing,
): Promise<number> {
  const now = service.platform.clock.now();
  const chosen = await database.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and (${order}::text is null or (source_kind = 'order' and source_text = ${order}))`);
  const action = name === 'reject' ? ({ do: name, reason: 'fraud', note: null } as const) : ({ do: name, note: null } as const);
  const ids = chosen.map(({ commissionId }) => commissionId);
  await database.transaction((tx) => reviewByIds(tx, { storeId, action, by, now: () => now }, ids));
  return now.getTime();
}

export const release = ({ database }: Merchant, { storeId }: ModelStore) =>
  database.run(sql`
    update commissions set held_reason = null, held_by = null, held_since = null where store_id = ${storeId} and held_reason is not null`);

/** By the merchant's ID of the order. */
export async function earnedCents({ database }: Merchant, { storeId }: ModelStore): Promise<ReadonlyMap<string, number>> {
  const rows = await database.all<{ what: string; amountCents: bigint }>(sql`
    select source_text as what, amount_cents from commissions where store_id = ${storeId} and source_kind = 'order'`);
  return new Map(rows.map(({ what, amountCents }) => [what, Number(amountCents)]));
}

/** The stored money in the format of the model. */
export async function moneyOf({ database }: Merchant, store: ModelStore) {
  const { storeId, creatorId } = store;
  const transfers = await database.all<{ debit: string; credit: string; amountCents: Cents }>(sql`
    select debit, credit, amount_cents from transfers where store_id = ${storeId}`);
  const sumOf = (side: 'debit' | 'credit', account: string) =>
    transfers.reduce((total, transfer) => total + (transfer[side] === account ? Number(transfer.amountCents) : 0), 0);
  // An invoice of which too little is left to charge is collected with the others; until then its commissions are billed.
  const commissions = await database.all<StoredCommission>(sql`
    select ${whatOf(store)} as what, c.amount_cents,
      case when c.payout_id is not null then 'paid' when c.state = 'collected' then 'billed' else c.state end as state, c.held_reason,
      case when c.creator_id = ${creatorId} then 'ada' else 'ben' end as owner,
      case c.source_kind when 'bonus' then 'hand'
        else coalesce(coalesce(r.attribution, o.attribution, l.attribution) ->> 'attributed_by', 'click') end as by,
      c.terms_version as version, case when c.source_kind in ('order', 'invoice') then c.earned end as earned
    from commissions c
    left join orders o on o.store_id = c.store_id and o.commission_id = c.commission_id
    left join leads l on l.store_id = c.store_id and l.commission_id = c.commission_id
    ${joinSources}
    where c.store_id = ${storeId}`);
  return {
    expectedCents: sumOf('debit', 'expected') - sumOf('credit', 'expected'),
    toCreatorsCents: sumOf('credit', 'to_creators') - sumOf('debit', 'to_creators'),
    commissions: commissions
      .map(
        ({ what, amountCents, state, heldReason, owner, by: attributed, version, earned }) =>
          `${what}: ${amountCents} ${state} ${heldReason ?? '-'} ${owner} by ${attributed} version ${version} ${namedText(store, earned)}`,
      )
      .sort(),
    customers: await customersOf(database, storeId, creatorId),
  };
}

type StoredCommission = {
  readonly what: string;
  readonly amountCents: bigint;
  readonly state: string;
  readonly heldReason: string | null;
  readonly owner: string;
  readonly by: string;
  readonly version: number;
  readonly earned: unknown;
};

/** What was copied of the terms, with the names of members and groups instead of their IDs. */
function namedText({ memberIds, groupIds }: ModelStore, earned: unknown): string {
  if (earned === null) return '';
  const named = [
    ...Object.entries(memberIds).map(([name, id]) => [name, publicId('mem', id)] as const),
    ...Object.entries(groupIds).map(([name, id]) => [name, publicId('grp', id)] as const),
  ];
  return named.reduce((text, [name, id]) => text.replaceAll(id, name), canonical(earned));
}

const customerIds = ['customer-0', 'customer-1'];

async function customersOf(database: Merchant['database'], storeId: Id<'store'>, creatorId: Id<'crt'>): Promise<readonly string[]> {
  const rows = await database.all<{ customerHash: Buffer; owner: string; uses: bigint }>(sql`
    select b.customer_hash, case when b.creator_id = ${creatorId} then 'ada' else 'ben' end as owner,
      (select count(*) from customer_uses u where u.store_id = b.store_id and u.subject_id = b.binding_id) as uses
    from customer_bindings b where b.store_id = ${storeId} order by b.number`);
  const named = customerIds.map((id) => ({ id, hash: hashOf(id) }));
  const byCustomer = Map.groupBy(rows, ({ customerHash }) => named.find(({ hash }) => hash.equals(customerHash))?.id ?? 'unknown');
  return [...byCustomer].map(([customer, list]) => `${customer}: ${list.map(({ owner, uses }) => `${owner} ${uses}`).join(', ')}`).sort();
}

export function made<Made>(result: Made | Refusal): Made {
  if (isRefusal(result)) throw new Error(`the store was rejected: ${result.message} ${JSON.stringify(result.errors)}`);
  return result;
}

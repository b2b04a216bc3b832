import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../src/clicks/signing-keys.ts';
import { gatherAndIssue } from '../../src/billing/gather.ts';
import { beginGathering } from '../../src/billing/invoices-sql.ts';
import { lockStoreBilling } from '../../src/billing/settings-sql.ts';
import { insertTestLink } from '../../src/clicks/test-links-sql.ts';
import { mintClickId, type ClickKind } from '../../src/contract/click-id.ts';
import { figuresOfLost } from '../../src/commissions/figures.ts';
import { createCreator } from '../../src/creators/creators.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import { createLink } from '../../src/creators/links.ts';
import { addMember } from '../../src/creators/members.ts';
import { addLinkFigures } from '../../src/figures/sql.ts';
import { accrualUndone } from '../../src/ledger/posting.ts';
import { post } from '../../src/ledger/sql.ts';
import { createPostbackKey } from '../../src/merchants/keys.ts';
import { addTerms } from '../../src/merchants/program-terms.ts';
import { createProgram, publishProgram } from '../../src/merchants/programs.ts';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { createStore } from '../../src/merchants/stores.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { isRefusal, type Refusal } from '../../src/platform/http/answers.ts';
import { newId, publicId, type Id } from '../../src/platform/ids.ts';
import type { Cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import { dayMs, plusDays } from '../../src/platform/time.ts';
import { reviewByIds } from '../../src/review/review.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Click } from './model-books.ts';
import { attributionDays, holdDays, termsVariants, type OrderRule, type SubscriptionRule } from './terms.ts';

/** A shop made by the rooms' own functions: a seed with its hashed passwords would take longer than the history. */
export type Shop = {
  readonly storeId: Id<'store'>;
  readonly publicStoreId: string;
  readonly trackingKey: string;
  readonly postbackKey: string;
  readonly creatorId: Id<'crt'>;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
};

export async function openShop({ database, service }: Merchant, termsFrom: Date): Promise<Shop> {
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
    made(await addTerms(tx, program, draftOf(0, termsFrom), at));
    made(await publishProgram(tx, program, at));
    made(await addMember(tx, { storeId, programId, creatorId, at }));
    const { linkNumber } = made(await createLink(tx, { storeId, programId, creatorId, destinationUrl: null, code: null, at }));
    return { storeId, publicStoreId: publicId('store', storeId), trackingKey, postbackKey: key, creatorId, programId, linkNumber };
  });
}

/** Gives when the terms begin. */
export async function changeTerms({ database, service }: Merchant, { storeId, programId }: Shop, variant: number): Promise<number> {
  const at = service.platform.clock.now();
  await database.transaction(async (tx) => made(await addTerms(tx, { storeId, programId }, draftOf(variant, undefined), at)));
  return at.getTime();
}

const draftOf = (variant: number, effectiveFrom: Date | undefined) => {
  const terms = termsVariants[variant % termsVariants.length];
  must(terms, 'there is always a variant');
  const rate = ({ product_id, basis_points, flat_cents }: OrderRule) => ({
    productId: product_id ?? null,
    basisPoints: basis_points ?? null,
    flatCents: flat_cents ?? null,
  });
  return {
    effectiveFrom,
    pays: terms.pays,
    orderRules: terms.order_rules.map(rate),
    subscriptionRules: terms.subscription_rules.map((rule: SubscriptionRule) => ({
      ...rate(rule),
      priceId: rule.price_id ?? null,
      maxInvoices: rule.max_invoices ?? null,
      maxMonths: rule.max_months,
    })),
  };
};

export type Minted = Click & { readonly text: string };
type Minting = Pick<Shop, 'storeId' | 'linkNumber'> & { readonly kind: ClickKind; readonly at: Date };

/** A click as it was minted at some moment; of an ordinary one no row is needed. */
export async function mintClick({ database }: Merchant, ring: KeyRing, { storeId, linkNumber, kind, at }: Minting): Promise<Minted> {
  // The clock of these histories jumps over days, and with a new month comes a new key.
  await ring.refresh();
  const { text, clickId } = mintClickId({ kind, at, linkNumber: kind === 'test' ? 0n : linkNumber, keys: ring.keys() });
  const expiresAt = new Date(at.getTime() + dayMs);
  if (kind === 'test') {
    const link = { storeId, testLinkId: newId<'tlink'>(at), clickId, url: 'https://shop.example', createdAt: at, expiresAt };
    await insertTestLink(database, link);
  }
  return { text, kind: kind === 'test' ? 'test' : 'live', at: at.getTime(), expiresAt: expiresAt.getTime() };
}

export const suspend = ({ database, service }: Merchant, { creatorId }: Shop, isSuspended: boolean) =>
  setSuspended(database, { creatorId, at: isSuspended ? service.platform.clock.now() : null });

/** What is pending, not held and above 0 is approved and on an issued invoice, as if its hold were over. */
export async function issue({ database, service }: Merchant, { storeId }: Shop): Promise<void> {
  const { platform } = service;
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
    return beginGathering(tx, storeId, now);
  });
  await gatherAndIssue(platform, { storeId, invoiceId, now: plusDays(now, holdDaysMax + 1), archivedAt: null });
}
const holdDaysMax = 90;

export const release = ({ database }: Merchant, { storeId }: Shop) =>
  database.run(sql`
    update commissions set held_reason = null, held_by = null, held_since = null where store_id = ${storeId} and held_reason is not null`);

export async function reject({ database, service }: Merchant, { storeId, creatorId }: Shop): Promise<void> {
  const at = service.platform.clock.now();
  await database.transaction(async (tx) => {
    const rejected = await tx.all<Parameters<typeof figuresOfLost>[0][number]>(sql`
      update commissions set state = 'rejected', rejected_at = ${at}, rejected_reason = 'fraud'
      where store_id = ${storeId} and state = 'pending' and held_reason is null
      returning store_id, link_number, occurred_at, eligible_cents, amount_cents`);
    const postings = rejected.flatMap(({ amountCents }) =>
      accrualUndone({ storeId, creatorId, amount: amountCents }, { kind: 'decision', id: newId(at) }, at),
    );
    await post(tx, postings);
    await addLinkFigures(tx, figuresOfLost(rejected, 1n));
  });
}

/** What stands, in the words of the model. */
export async function moneyOf({ database }: Merchant, { storeId }: Shop) {
  const transfers = await database.all<{ debit: string; credit: string; amountCents: Cents }>(sql`
    select debit, credit, amount_cents from transfers where store_id = ${storeId}`);
  const sumOf = (side: 'debit' | 'credit', account: string) =>
    transfers.reduce((total, transfer) => total + (transfer[side] === account ? Number(transfer.amountCents) : 0), 0);
  const commissions = await database.all<{ what: string; amountCents: bigint; state: string; heldReason: string | null }>(sql`
    select coalesce(r.relationship_id || ' ', '') || c.source_text as what, c.amount_cents, c.state, c.held_reason
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
  if (isRefusal(result)) throw new Error(`the shop was refused: ${result.message} ${JSON.stringify(result.errors)}`);
  return result;
}

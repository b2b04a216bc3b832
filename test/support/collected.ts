import {
  advanceCommissions,
  billCommissions,
  collectCommissions,
  endAdvanceOfCommissions,
  uncollectCommissions,
} from '../../src/commissions/billing-sql.ts';
import type { OpenedCommission } from '../../src/commissions/commission.ts';
import { tellCreators } from '../../src/commissions/outbox-sql.ts';
import { approveCommissions, lockForReview } from '../../src/commissions/review-sql.ts';
import { openCommissions } from '../../src/commissions/sql.ts';
import { createCreator } from '../../src/creators/creators.ts';
import { insertPayoutMethod } from '../../src/creators/payout-methods-sql.ts';
import { accrual, back, move, ways, type Source } from '../../src/ledger/posting.ts';
import { post } from '../../src/ledger/sql.ts';
import type { Transaction } from '../../src/platform/database/database.ts';
import { newId, type Id } from '../../src/platform/ids.ts';
import { basisPoints, cents, sum, type Cents } from '../../src/platform/money.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { plusDays } from '../../src/platform/time.ts';

export type Sale = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly commissionId: Id<'com'>;
  readonly amount: Cents;
};
export type Of = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Commissions whose bill the store has paid, made by the same steps as billing makes them; gives them as they were made. */
export async function collected(platform: Platform, of: Of, amounts: readonly number[]): Promise<readonly Sale[]> {
  const sales: Sale[] = [];
  for (let from = 0; from < amounts.length; from += 1_000) {
    const some = amounts.slice(from, from + 1_000);
    sales.push(...(await platform.database.transaction((tx) => collectSome(tx, platform, of, some))));
  }
  return sales;
}

async function collectSome(tx: Transaction, platform: Platform, of: Of, amounts: readonly number[]): Promise<readonly Sale[]> {
  const at = platform.clock.now();
  const opened = amounts.map((amount) => openedSale(of, cents(amount), at));
  const rows = { storeId: of.storeId, commissionIds: opened.map(({ commissionId }) => commissionId) };
  const total = { ...of, amount: sum(opened.map(({ earning }) => earning.amount)) };
  const source = (kind: Source['kind']): Source => ({ kind, id: newId(at) });
  await openCommissions(tx, opened);
  await post(
    tx,
    opened.flatMap(({ earning, source: { id } }) => accrual({ ...of, amount: earning.amount }, { kind: 'order', id }, at)),
  );
  await approveCommissions(tx, rows, at);
  await billCommissions(tx, rows, newId<'inv'>(at));
  await post(tx, move(total, ways.billed, { source: source('invoice'), at }));
  await collectCommissions(tx, rows);
  await post(tx, move(total, ways.collected, { source: source('charge'), at }));
  const told = opened.map(({ creatorId, commissionId, earning }) => ({ creatorId, commissionId, amountCents: earning.amount }));
  await tellCreators(tx, { storeId: of.storeId, kind: 'collected', at }, told);
  return told.map(({ commissionId, amountCents }) => ({ ...of, commissionId, amount: amountCents }));
}

/** A tenth of an order, so that the commission is what its terms give. */
function openedSale(of: Of, amount: Cents, at: Date): OpenedCommission {
  const eligible = cents(amount * 10n);
  const orderId = newId(at);
  const rate = { is: 'share', basisPoints: basisPoints(1_000) } as const;
  return {
    ...of,
    commissionId: newId<'com'>(at),
    programId: newId<'prog'>(at),
    linkNumber: 1n,
    source: { kind: 'order', id: orderId, text: `order ${orderId}` },
    eligible,
    earning: { amount, parts: [{ productId: null, of: eligible, quantity: 1n, rate, amount }] },
    occurredAt: plusDays(at, -31),
    recordedAt: plusDays(at, -31),
    termsVersion: 1,
    attributionDays: 30,
    holdDays: 30,
    holdUntil: plusDays(at, -1),
    autoApproveAt: null,
    held: null,
  };
}

/** A creator who is paid by the sandbox in the way of the word; null: who has not said where to. */
export async function payee({ database, clock }: Platform, word: string | null = 'ok'): Promise<Id<'crt'>> {
  const at = clock.now();
  const made = await createCreator(database, { name: 'Cora', email: 'cora@people.example', sandboxMethod: null, at });
  const { creatorId } = made;
  if (word !== null)
    await insertPayoutMethod(database, { creatorId, provider: 'sandbox', instrument: word, last4: null, madeAt: at, usableFrom: at });
  return creatorId;
}

/** The store's payment is taken back, by the same steps as billing takes them: what is in a payout is advanced by the operator. */
export async function chargedBack({ database, clock }: Platform, { storeId, creatorId, commissionId, amount }: Sale): Promise<void> {
  const at = clock.now();
  const rows = { storeId, commissionIds: [commissionId] };
  await database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    const isInPayout = locked?.isInPayout === true;
    await (isInPayout ? advanceCommissions(tx, rows, at) : uncollectCommissions(tx, rows));
    const told = { creatorId, commissionId, amountCents: amount };
    await tellCreators(tx, { storeId, kind: isInPayout ? 'advanced' : 'charged_back', at }, [told]);
    await post(tx, move({ storeId, creatorId, amount }, back(ways.collected), { source: { kind: 'dispute', id: newId(at) }, at }));
  });
}

/** The store pays after all. */
export async function paidAfterAll({ database, clock }: Platform, { storeId, creatorId, commissionId, amount }: Sale): Promise<void> {
  const at = clock.now();
  const rows = { storeId, commissionIds: [commissionId] };
  await database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    const isBilled = locked?.state === 'billed';
    await (isBilled ? collectCommissions(tx, rows) : endAdvanceOfCommissions(tx, rows));
    const told = { creatorId, commissionId, amountCents: amount };
    await tellCreators(tx, { storeId, kind: isBilled ? 'collected' : 'repaid', at }, [told]);
    await post(tx, move({ storeId, creatorId, amount }, ways.collected, { source: { kind: 'charge', id: newId(at) }, at }));
  });
}

import {
  advanceCommissions,
  invoiceCommissions,
  collectCommissions,
  endAdvances,
  chargeBackCommissions,
} from '../../src/commissions/billing-sql.ts';
import type { OpenedCommission } from '../../src/commissions/commission.ts';
import { insertOutboxEntries } from '../../src/commissions/creator-outbox-sql.ts';
import { approveCommissions, lockForReview } from '../../src/commissions/review-sql.ts';
import { openCommissions } from '../../src/commissions/commissions-sql.ts';
import { createCreator } from '../../src/creators/create-creator.ts';
import { insertPayoutMethod } from '../../src/creators/payout-methods-sql.ts';
import { accrual, swapped, storePosting, storeTransfers, type Source } from '../../src/ledger/store-postings.ts';
import { postStoreTransfers } from '../../src/ledger/store-ledger-sql.ts';
import type { Transaction } from '../../src/db/database.ts';
import { newId, type Id } from '../../src/core/ids.ts';
import { basisPoints, cents, sum, type Cents } from '../../src/core/money.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { plusDays } from '../../src/core/time.ts';

export type Sale = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly commissionId: Id<'com'>;
  readonly amount: Cents;
};
export type Of = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Creates commissions whose invoice the store has paid, with the same steps as billing; returns them in order. */
export async function createCollectedCommissions(platform: Platform, of: Of, amounts: readonly number[]): Promise<readonly Sale[]> {
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
  await postStoreTransfers(
    tx,
    opened.flatMap(({ earning, source: { id } }) => accrual({ ...of, amount: earning.amount }, { kind: 'order', id }, at)),
  );
  await approveCommissions(tx, rows, at);
  await invoiceCommissions(tx, rows, newId<'inv'>(at));
  await postStoreTransfers(tx, storePosting(total, storeTransfers.billed, { source: source('invoice'), at }));
  await collectCommissions(tx, rows);
  await postStoreTransfers(tx, storePosting(total, storeTransfers.collected, { source: source('charge'), at }));
  const entries = opened.map(({ creatorId, commissionId, earning }) => ({ creatorId, commissionId, amountCents: earning.amount }));
  await insertOutboxEntries(tx, { storeId: of.storeId, kind: 'collected', at }, entries);
  return entries.map(({ commissionId, amountCents }) => ({ ...of, commissionId, amount: amountCents }));
}

/** Ten times the commission, because the terms pay a tenth of an order. */
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

/** Creates a creator whose sandbox payout method has the given outcome; null: a creator without a payout method. */
export async function createPayee({ database, clock }: Platform, word: string | null = 'ok'): Promise<Id<'crt'>> {
  const at = clock.now();
  const made = await createCreator(database, { name: 'Cora', email: 'cora@people.example', sandboxMethod: null, at });
  const { creatorId } = made;
  if (word !== null)
    await insertPayoutMethod(database, { creatorId, provider: 'sandbox', instrument: word, last4: null, madeAt: at, usableFrom: at });
  return creatorId;
}

/** Reverses the store's payment with the same steps as billing: amounts that are in a payout are advanced by the operator. */
export async function chargeBack({ database, clock }: Platform, { storeId, creatorId, commissionId, amount }: Sale): Promise<void> {
  const at = clock.now();
  const rows = { storeId, commissionIds: [commissionId] };
  await database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    const isInPayout = locked?.isInPayout === true;
    await (isInPayout ? advanceCommissions(tx, rows, at) : chargeBackCommissions(tx, rows));
    const entries = { creatorId, commissionId, amountCents: amount };
    await insertOutboxEntries(tx, { storeId, kind: isInPayout ? 'advanced' : 'charged_back', at }, [entries]);
    await postStoreTransfers(
      tx,
      storePosting({ storeId, creatorId, amount }, swapped(storeTransfers.collected), { source: { kind: 'dispute', id: newId(at) }, at }),
    );
  });
}

/** Lets the store pay after all. */
export async function payAfterChargeback({ database, clock }: Platform, { storeId, creatorId, commissionId, amount }: Sale): Promise<void> {
  const at = clock.now();
  const rows = { storeId, commissionIds: [commissionId] };
  await database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    const isBilled = locked?.state === 'billed';
    await (isBilled ? collectCommissions(tx, rows) : endAdvances(tx, rows));
    const entries = { creatorId, commissionId, amountCents: amount };
    await insertOutboxEntries(tx, { storeId, kind: isBilled ? 'collected' : 'repaid', at }, [entries]);
    await postStoreTransfers(
      tx,
      storePosting({ storeId, creatorId, amount }, storeTransfers.collected, { source: { kind: 'charge', id: newId(at) }, at }),
    );
  });
}

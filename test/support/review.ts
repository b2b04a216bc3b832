import { expect } from 'vitest';
import { openCommissions } from '../../src/commissions/commissions-sql.ts';
import type { OpenedCommission } from '../../src/commissions/commission.ts';
import type { EarningPart } from '../../src/commissions/decide-earning.ts';
import { accrual } from '../../src/ledger/store-postings.ts';
import { storeBalanceDifferences, postStoreTransfers } from '../../src/ledger/store-ledger-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId, readPublicId, type Id } from '../../src/core/ids.ts';
import { basisPoints, cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { plusDays } from '../../src/core/time.ts';
import type { ApiResponse, Json, Merchant } from './merchant.ts';
import { sendAgain } from './send-again.ts';

export type ReviewPath = 'approve' | 'reject' | 'reopen' | 'hold' | 'release';

/** The review part of a store's dashboard. */
export type Reviewer = {
  readonly act: (path: ReviewPath, body: object) => Promise<ApiResponse>;
  /** Reviews by ID; returns the result of each, in the given order. */
  readonly results: (path: ReviewPath, ids: readonly string[], fields?: object) => Promise<readonly string[]>;
  /** Reports an order; returns its commission's ID. */
  readonly sale: (fields?: Readonly<Record<string, unknown>>) => Promise<Sale>;
  readonly stateOf: (commissionId: string) => Promise<string>;
  readonly history: (commissionId: string) => Promise<readonly Json[]>;
};
export type Sale = { readonly orderId: string; readonly commissionId: string };

const fieldsOf = { approve: {}, reject: { reason: 'returned' }, reopen: {}, hold: { reason: 'dispute' }, release: {} } as const;

export function reviewerOf(merchant: Merchant): Reviewer {
  const commissions = `/stores/${merchant.world.store.id}/commissions`;
  const act: Reviewer['act'] = (path, body) => merchant.api('POST', `${commissions}/${path}`, { ...fieldsOf[path], ...body });
  return {
    act,
    results: async (path, ids, fields = {}) => {
      const response = await sendAgain(() => act(path, { ids, ...fields }));
      invariant(response.status === 200, `the review request succeeds: ${response.text}`);
      return ids.map((id) => response.json.results[id]);
    },
    sale: async (fields = {}) => {
      const order = await merchant.order(fields);
      const response = await merchant.convert(order);
      invariant(response.json.reason === 'recorded', `the order is recorded: ${response.text}`);
      return { orderId: order.order_id, commissionId: response.json.conversion_id };
    },
    stateOf: async (commissionId) => {
      const found = await merchant.database.one<{ state: string; heldReason: string | null }>(
        sql`select state, held_reason from commissions where store_id = ${merchant.storeId} and commission_id = ${internal(commissionId)}`,
      );
      return found.heldReason === null ? found.state : `${found.state}, held (${found.heldReason})`;
    },
    history: async (commissionId) => (await merchant.api('GET', `${commissions}/${commissionId}/decisions`)).json.data,
  };
}

export function internal(commissionId: string): Id<'com'> {
  const id = readPublicId('com', commissionId);
  invariant(id, 'a commission has a public ID');
  return id;
}

/** Every balance is the sum of its transfers, and the expected amount is the sum of commissions that are neither rejected nor reversed. */
export async function expectLedgerBalanced({ database, storeId }: Merchant): Promise<void> {
  expect(await storeBalanceDifferences(database)).toEqual([]);
  const books = await database.all(sql`
    with moved as (
      select creator_id, sum(case debit when 'expected' then amount_cents else -amount_cents end) as cents
      from transfers where store_id = ${storeId} group by creator_id
    ), current as (
      select creator_id, sum(case when state in ('rejected', 'reversed') then 0 else amount_cents end) as cents
      from commissions where store_id = ${storeId} group by creator_id
    )
    select coalesce(moved.cents, 0) as moved, coalesce(current.cents, 0) as expected from moved full join current using (creator_id)`);
  for (const { moved, expected } of books as ReadonlyArray<{ moved: bigint; expected: bigint }>) expect(moved).toBe(expected);
}

const tenth: EarningPart = {
  productId: null,
  of: cents(10_000),
  quantity: 1n,
  rate: { is: 'share', basisPoints: basisPoints(1_000) },
  amount: cents(1_000),
};

/** Inserts many commissions, as the same number of orders would. Returns their IDs. */
export async function openMany(
  merchant: Merchant,
  count: number,
  fields: Partial<Pick<OpenedCommission, 'autoApproveAt' | 'occurredAt'>> = {},
): Promise<readonly string[]> {
  const { world, storeId, database } = merchant;
  const [programId, creatorId] = [readPublicId('prog', world.program.id), readPublicId('crt', world.creator.id)];
  invariant(programId && creatorId, 'the seed names its program and its creator');
  const at = new Date(merchant.at());
  const opened = Array.from({ length: count }, (): OpenedCommission => {
    const orderId = newId(at);
    return {
      storeId,
      commissionId: newId<'com'>(at),
      programId,
      creatorId,
      linkNumber: 1n,
      source: { kind: 'order', id: orderId, text: `bulk ${orderId}` },
      eligible: cents(10_000),
      earning: { amount: cents(1_000), parts: [tenth] },
      occurredAt: at,
      recordedAt: at,
      termsVersion: 1,
      attributionDays: 30,
      holdDays: 30,
      holdUntil: plusDays(at, 30),
      autoApproveAt: null,
      held: null,
      ...fields,
    };
  });
  for (let from = 0; from < count; from += 1_000) {
    const some = opened.slice(from, from + 1_000);
    await database.transaction(async (tx) => {
      await openCommissions(tx, some);
      const money = some.map(({ source, earning }) => ({ source: { kind: 'order', id: source.id } as const, amount: earning.amount }));
      await postStoreTransfers(
        tx,
        money.flatMap(({ source, amount }) => accrual({ storeId, creatorId, amount }, source, at)),
      );
    });
  }
  return opened.map(({ commissionId }) => publicId('com', commissionId));
}

import { resumeBillingTask } from '../../src/billing/run-billing.ts';
import { openedRollups } from '../../src/commissions/rollups.ts';
import { openCommissions } from '../../src/commissions/commissions-sql.ts';
import type { OpenedCommission } from '../../src/commissions/commission.ts';
import { addLinkRollups } from '../../src/rollups/rollups-sql.ts';
import { accrual } from '../../src/ledger/store-postings.ts';
import { postStoreTransfers } from '../../src/ledger/store-ledger-sql.ts';
import type { Database } from '../../src/db/database.ts';
import { sql, texts } from '../../src/db/sql.ts';
import { type Id, newId, publicId, readPublicId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { plusDays } from '../../src/core/time.ts';
import { verify } from '../../src/app/verify.ts';
import { type ApiResponse, type Json, type Merchant, merchantIn } from './merchant.ts';

/** A store with invoices, its operator, and the records of the built-in provider. */
export type Biller = {
  readonly merchant: Merchant;
  readonly store: string;
  /** Creates approved commissions of these amounts after their hold. Returns their IDs. */
  readonly billable: (...amounts: readonly number[]) => Promise<readonly string[]>;
  readonly run: (body?: object) => Promise<readonly Json[]>;
  readonly invoices: () => Promise<readonly Json[]>;
  readonly setPaymentMethod: (word: string, isBackup?: boolean) => Promise<void>;
  readonly states: () => Promise<Readonly<Record<string, number>>>;
  readonly emails: (to?: string) => Promise<readonly string[]>;
  /** The amounts that the provider actually charged, in cents, charge by charge. */
  readonly chargedAmounts: () => Promise<readonly number[]>;
  /** The provider's references of the store's charges, oldest first. */
  readonly references: () => Promise<readonly string[]>;
  readonly status: () => Promise<string>;
  readonly outbox: () => Promise<readonly Json[]>;
};

/** A store in a separate sandbox, which uses the connections of the first one, because connections are limited. */
export const anotherBiller = async (first: Merchant): Promise<Biller> =>
  billerOf({ ...merchantIn(first.service, await first.service.seed()), database: first.database });

/** The latest invoice of its store, with its lines and charges. */
export async function latestInvoice({ merchant, store, invoices }: Biller): Promise<Json> {
  const [invoice] = await invoices();
  invariant(invoice !== undefined, 'the store has an invoice');
  return expectSuccess(await merchant.api('GET', `${store}/invoices/${invoice.id}`)).json;
}

const heldDays = 30;

export function billerOf(merchant: Merchant): Biller {
  const { world, storeId, database } = merchant;
  const store = `/stores/${world.store.id}`;
  return {
    merchant,
    store,
    billable: (...amounts) => openBillable(merchant, amounts),
    run: async (body = {}) =>
      expectSuccess(await merchant.api('POST', '/billing-runs', { store_id: world.store.id, ...body })).json.invoices,
    invoices: async () => expectSuccess(await merchant.api('GET', `${store}/invoices`)).json.data,
    setPaymentMethod: async (word, isBackup = false) => {
      if (word !== 'ok') await holdTheMinute(database);
      if (!['ok', 'declined', 'timeout_then_ok', 'insufficient_then_ok'].includes(word)) return putWord(merchant, word);
      expectSuccess(await merchant.api('PUT', `${store}/${isBackup ? 'backup-' : ''}payment-method`, { sandbox: word }));
    },
    states: async () => {
      const rows = await database.all<{ state: string; count: bigint }>(
        sql`select state, count(*) as count from commissions where store_id = ${storeId} group by state order by state`,
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
    emails: async (to = world.logins.merchant.email) => {
      const rows = await database.all<{ subject: string }>(sql`select subject from mails where to_address = ${to} order by mail_id`);
      return rows.map(({ subject }) => subject);
    },
    chargedAmounts: async () => {
      const rows = await database.all<{ amountCents: bigint }>(sql`
        select m.amount_cents from sandbox_movements m
        where m.kind = 'charge' and m.status = 'succeeded' and m.reference = any(${texts(await referencesOf(merchant))})
        order by m.made_at, m.provider_id`);
      return rows.map(({ amountCents }) => Number(amountCents));
    },
    references: () => referencesOf(merchant),
    status: async () => expectSuccess(await merchant.api('GET', store)).json.status,
    outbox: () =>
      database.all(sql`
      select kind, count(*)::int as count, sum(amount_cents)::int as cents from creator_outbox where store_id = ${storeId}
      group by kind order by kind`),
  };
}

async function referencesOf({ database, storeId }: Merchant): Promise<readonly string[]> {
  const rows = await database.all<{ chargeId: Id<'chg'> }>(
    sql`select charge_id from charges where store_id = ${storeId} order by charge_id`,
  );
  return rows.map(({ chargeId }) => publicId('chg', chargeId));
}

/**
 * The queue repeats unfinished work every minute, which may happen while a test looks. Business time, which the test moves, triggers the
 * same work.
 */
const holdTheMinute = (database: Database): Promise<unknown> =>
  database.run(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values (${resumeBillingTask}, now(), now() + interval '1 hour')
    on conflict (identifier) do update set last_execution = excluded.last_execution`);

/** A payment method that only tests know: the API accepts the four of its page. */
async function putWord({ database, storeId, at }: Merchant, word: string): Promise<void> {
  const now = new Date(at());
  await database.run(sql`update payment_methods set replaced_at = ${now} where store_id = ${storeId} and replaced_at is null`);
  await database.run(sql`
    insert into payment_methods (store_id, payment_method_id, provider, instrument, made_at)
    values (${storeId}, ${newId(now)}, 'sandbox', ${word}, ${now})`);
}

export function expectSuccess(response: ApiResponse): ApiResponse {
  invariant(response.status < 300, `the request succeeds: ${response.status} ${response.text}`);
  return response;
}

async function openBillable(merchant: Merchant, amounts: readonly number[]): Promise<readonly string[]> {
  const { world, storeId, database } = merchant;
  const [programId, creatorId] = [readPublicId('prog', world.program.id), readPublicId('crt', world.creator.id)];
  invariant(programId && creatorId, 'the seed names its program and its creator');
  const at = new Date(merchant.at());
  const occurredAt = plusDays(at, -heldDays);
  const opened = amounts.map((amount): OpenedCommission => {
    const orderId = newId(at);
    const parts = [
      { productId: null, of: cents(amount), quantity: 1n, rate: { is: 'flat', cents: cents(amount) }, amount: cents(amount) },
    ] as const;
    return {
      storeId,
      commissionId: newId<'com'>(at),
      programId,
      creatorId,
      linkNumber: 1n,
      source: { kind: 'order', id: orderId, text: `bulk ${orderId}` },
      eligible: cents(amount),
      earning: { amount: cents(amount), parts },
      occurredAt,
      recordedAt: occurredAt,
      termsVersion: 1,
      attributionDays: 30,
      holdDays: heldDays,
      holdUntil: at,
      autoApproveAt: null,
      held: null,
    };
  });
  for (let from = 0; from < opened.length; from += 1_000) {
    const some = opened.slice(from, from + 1_000);
    await database.transaction(async (tx) => {
      await openCommissions(tx, some);
      await addLinkRollups(tx, openedRollups(some));
      await postStoreTransfers(
        tx,
        some.flatMap(({ source, earning }) =>
          accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'order', id: source.id }, at),
        ),
      );
    });
  }
  const ids = opened.map(({ commissionId }) => publicId('com', commissionId));
  for (let from = 0; from < ids.length; from += 1_000)
    expectSuccess(await merchant.api('POST', `/stores/${world.store.id}/commissions/approve`, { ids: ids.slice(from, from + 1_000) }));
  return ids;
}

/** Every check of the whole verification; returns the differences as text. */
export async function differences({ service }: Merchant): Promise<readonly string[]> {
  const results = await verify(service.platform);
  return results.flatMap(({ what, differences: found }) => found.map(({ detail }) => `${what}: ${detail}`));
}

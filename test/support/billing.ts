import { settleOpenTask } from '../../src/billing/jobs.ts';
import { figuresOfOpened } from '../../src/commissions/figures.ts';
import { openCommissions } from '../../src/commissions/sql.ts';
import type { OpenedCommission } from '../../src/commissions/commission.ts';
import { addLinkFigures } from '../../src/figures/sql.ts';
import { accrual } from '../../src/ledger/posting.ts';
import { post } from '../../src/ledger/sql.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { newId, publicId, readPublicId, type Id } from '../../src/platform/ids.ts';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import { plusDays } from '../../src/platform/time.ts';
import { verify } from '../../src/verify.ts';
import { merchantIn, type Came, type Json, type Merchant } from './merchant.ts';

/** A store that is billed, its operator, and the book of the built-in provider. */
export type Biller = {
  readonly merchant: Merchant;
  readonly store: string;
  /** Approved commissions of these amounts, their hold over. Gives their ids. */
  readonly billable: (...amounts: readonly number[]) => Promise<readonly string[]>;
  readonly run: (body?: object) => Promise<readonly Json[]>;
  readonly invoices: () => Promise<readonly Json[]>;
  readonly pays: (word: string, isBackup?: boolean) => Promise<void>;
  readonly states: () => Promise<Readonly<Record<string, number>>>;
  readonly mails: (to?: string) => Promise<readonly string[]>;
  /** What the provider really took, in cents, charge by charge. */
  readonly taken: () => Promise<readonly number[]>;
  /** What the provider knows the store's charges by, the first one first. */
  readonly references: () => Promise<readonly string[]>;
  readonly status: () => Promise<string>;
  readonly outbox: () => Promise<readonly Json[]>;
};

/** A store of a world of its own beside all others, asked through the connections of the first: there are only so many. */
export const anotherBiller = async (first: Merchant): Promise<Biller> =>
  billerOf({ ...merchantIn(first.service, await first.service.seed()), database: first.database });

/** The last one that its store was billed, with its lines and charges. */
export async function latestInvoice({ merchant, store, invoices }: Biller): Promise<Json> {
  const [invoice] = await invoices();
  must(invoice !== undefined, 'the store was billed');
  return good(await merchant.api('GET', `${store}/invoices/${invoice.id}`)).json;
}

const heldDays = 30;

export function billerOf(merchant: Merchant): Biller {
  const { world, storeId, database } = merchant;
  const store = `/stores/${world.store.id}`;
  return {
    merchant,
    store,
    billable: (...amounts) => openBillable(merchant, amounts),
    run: async (body = {}) => good(await merchant.api('POST', '/billing-runs', { store_id: world.store.id, ...body })).json.invoices,
    invoices: async () => good(await merchant.api('GET', `${store}/invoices`)).json.data,
    pays: async (word, isBackup = false) => {
      if (word !== 'ok') await holdTheMinute(database);
      if (!['ok', 'declined', 'timeout_then_ok', 'insufficient_then_ok'].includes(word)) return putWord(merchant, word);
      good(await merchant.api('PUT', `${store}/${isBackup ? 'backup-' : ''}payment-method`, { sandbox: word }));
    },
    states: async () => {
      const rows = await database.all<{ state: string; count: bigint }>(
        sql`select state, count(*) as count from commissions where store_id = ${storeId} group by state order by state`,
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
    },
    mails: async (to = world.logins.merchant.email) => {
      const rows = await database.all<{ subject: string }>(sql`select subject from mails where to_address = ${to} order by mail_id`);
      return rows.map(({ subject }) => subject);
    },
    taken: async () => {
      const rows = await database.all<{ amountCents: bigint }>(sql`
        select m.amount_cents from sandbox_movements m
        where m.kind = 'charge' and m.status = 'succeeded' and m.reference = any(${await referencesOf(merchant)}::text[])
        order by m.made_at, m.provider_id`);
      return rows.map(({ amountCents }) => Number(amountCents));
    },
    references: () => referencesOf(merchant),
    status: async () => good(await merchant.api('GET', store)).json.status,
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
 * At each full minute the queue sends again what has no end yet, and it may be full while a test looks. Business time, which the
 * test moves, goes on doing the same.
 */
const holdTheMinute = (database: Database): Promise<unknown> =>
  database.run(sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values (${settleOpenTask}, now(), now() + interval '1 hour')
    on conflict (identifier) do update set last_execution = excluded.last_execution`);

/** A word that only tests know: the API takes the four of its page. */
async function putWord({ database, storeId, at }: Merchant, word: string): Promise<void> {
  const now = new Date(at());
  await database.run(sql`update payment_methods set replaced_at = ${now} where store_id = ${storeId} and replaced_at is null`);
  await database.run(sql`
    insert into payment_methods (store_id, payment_method_id, provider, instrument, made_at)
    values (${storeId}, ${newId(now)}, 'sandbox', ${word}, ${now})`);
}

export function good(came: Came): Came {
  must(came.status < 300, `it was done: ${came.status} ${came.text}`);
  return came;
}

async function openBillable(merchant: Merchant, amounts: readonly number[]): Promise<readonly string[]> {
  const { world, storeId, database } = merchant;
  const [programId, creatorId] = [readPublicId('prog', world.program.id), readPublicId('crt', world.creator.id)];
  must(programId && creatorId, 'the seed names its program and its creator');
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
      await addLinkFigures(tx, figuresOfOpened(some));
      await post(
        tx,
        some.flatMap(({ source, earning }) =>
          accrual({ storeId, creatorId, amount: earning.amount }, { kind: 'order', id: source.id }, at),
        ),
      );
    });
  }
  const ids = opened.map(({ commissionId }) => publicId('com', commissionId));
  for (let from = 0; from < ids.length; from += 1_000)
    good(await merchant.api('POST', `/stores/${world.store.id}/commissions/approve`, { ids: ids.slice(from, from + 1_000) }));
  return ids;
}

/** Every check of the whole house; what differs, in words. */
export async function differences({ service }: Merchant): Promise<readonly string[]> {
  const results = await verify(service.platform);
  return results.flatMap(({ what, differences: found }) => found.map(({ detail }) => `${what}: ${detail}`));
}

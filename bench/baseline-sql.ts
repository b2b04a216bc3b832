import type pg from 'pg';
import type { Click } from '../src/clicks/clicks-sql.ts';
import { earningBreakdown, type OpenedCommission } from '../src/commissions/commission.ts';
import { contentHash } from '../src/contract/content-hash.ts';
import type { Postback } from '../src/contract/postback-endpoint.ts';
import type { Posting } from '../src/ledger/store-postings.ts';
import { termsInForce } from '../src/merchants/terms.ts';
import { termsOfPrograms } from '../src/merchants/terms-sql.ts';
import type { Integration } from '../src/merchants/integration-sql.ts';
import type { NewOrder, ReferralClick } from '../src/orders/decide-conversion.ts';
import type { ExplainedOutcome } from '../src/contract/reply.ts';
import { conversionLists, type ConversionReport } from '../src/orders/report.ts';
import type { Database } from '../src/db/database.ts';
import { joined, emptySql, sql, toDriverQuery, type Sql } from '../src/db/sql.ts';
import type { Id } from '../src/core/ids.ts';
import { invariant } from '../src/core/invariant.ts';
import { logEntryOf } from '../src/tracking/log-entry.ts';

/** The usual implementations, written as well as we can. They write the same rows as the batches do. */
const insertClick = `
  with click as (
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
  ), of_link as (
    insert into link_days as sums (store_id, link_number, day, what, slot, count) values ($1, $3, $9, 'click', $10, 1)
    on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count
  )
  insert into store_days as sums (store_id, day, what, slot, count) values ($1, $9, 'click', $10, 1)
  on conflict (store_id, day, what, slot) do update set count = sums.count + excluded.count`;

/** Writes the click and its count in one statement, prepared once per connection and autocommitted: the fastest way per request. */
export async function insertOneClick(pool: pg.Pool, click: Click, day: string): Promise<void> {
  const { storeId, clickId, linkNumber, programId, creatorId, subId, referrerHost, addressHash } = click;
  const values = [storeId, clickId, linkNumber, programId, creatorId, subId, referrerHost, addressHash, day, anySlot()];
  await pool.query({ name: 'click', text: insertClick, values });
}

/** An order that is decided and waits to be stored. */
export type Conversion = {
  readonly order: NewOrder;
  readonly commission: OpenedCommission;
  readonly postings: readonly Posting[];
  readonly explained: ExplainedOutcome;
  readonly postback: Postback<Integration>;
  readonly orderHash: Buffer;
  readonly now: Date;
};

/** One posted order, and the decision that turns the facts about it into what the baseline stores. */
export type PostedOrder = {
  readonly report: ConversionReport;
  readonly postback: Postback<Integration>;
  readonly orderHash: Buffer;
  readonly click: Omit<ReferralClick, 'programId' | 'creatorId' | 'terms'>;
  readonly decide: (facts: { readonly click: ReferralClick; readonly isKnown: boolean }) => Conversion;
};

/** begin · facts about order and click · terms · order and commission · transfer · counts and log · commit */
export async function inSevenRoundTrips(database: Database, posted: PostedOrder): Promise<Conversion> {
  const { storeId } = posted.postback.integration;
  const { occurredAt } = posted.report;
  return database.transaction(async (tx) => {
    type Known = {
      readonly programId: Id<'prog'>;
      readonly creatorId: Id<'crt'>;
      readonly isKnown: boolean;
      readonly isSuspended: boolean;
    };
    const link = await tx.one<Known>(sql`
      select l.program_id, l.creator_id, c.suspended_at is not null as is_suspended,
        exists (select 1 from orders where store_id = ${storeId} and order_hash = ${posted.orderHash})
          or exists (select 1 from click_claims where store_id = ${storeId} and click_id = ${posted.click.clickId})
          or exists (select 1 from early_reversals where store_id = ${storeId} and order_hash = ${posted.orderHash}) as is_known
      from links l join creators c using (creator_id)
      where l.store_id = ${storeId} and l.link_number = ${posted.click.linkNumber}`);
    invariant(occurredAt !== 'unreadable', 'the orders of the benchmark are readable');
    const terms = (await termsOfPrograms(tx, [{ storeId, programId: link.programId }])).get(link.programId) ?? [];
    const click = { ...posted.click, ...link, isCreatorSuspended: link.isSuspended, terms: termsInForce(terms, occurredAt) };
    const conversion = posted.decide({ click, isKnown: link.isKnown });
    await tx.run(together([claim(conversion), order(conversion)]));
    await tx.run(together([commission(conversion), transfers(conversion)]));
    await tx.run(together([balances(conversion), figure(conversion), storeFigure(conversion), line(conversion)]));
    return conversion;
  });
}

/** Writes all rows of an order in one statement, which is autocommitted. */
export async function inOneStatement(database: Database, conversion: Conversion): Promise<void> {
  const parts = [claim, order, commission, transfers, balances, figure, storeFigure, line];
  await database.run(together(parts.map((part) => part(conversion))));
}

/** Writes one row for an order, prepared once per connection and autocommitted: the least that any service writes. */
export async function insertOneRow(pool: pg.Pool, conversion: Conversion): Promise<void> {
  await pool.query({ ...toDriverQuery(order(conversion)), name: 'order' });
}

function together(parts: readonly Sql[]): Sql {
  const last = parts.at(-1) ?? emptySql;
  const names = [sql`a`, sql`b`, sql`c`, sql`d`, sql`e`, sql`f`, sql`g`, sql`h`];
  const others = parts.slice(0, -1).map((part, place) => sql`${names[place] ?? emptySql} as (${part})`);
  return sql`with ${joined(others, sql`, `)} ${last}`;
}

const claim = ({ order: { storeId, attribution }, orderHash }: Conversion): Sql =>
  sql`insert into click_claims (store_id, click_id, order_hash)
    values (${storeId}, ${attribution.credited.click?.clickId ?? null}, ${orderHash}) on conflict do nothing`;

function order({ order: made, orderHash }: Conversion): Sql {
  const { storeId, report, attribution } = made;
  const click = { ...attribution.credited, clickId: attribution.credited.click?.clickId ?? null };
  const [list] = conversionLists;
  invariant(list, 'the list of fields is present');
  return sql`
    insert into orders (store_id, order_hash, content_hash, order_id, transaction_id, commission_id, click_id, link_number, program_id,
      creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, order_name, customer_id, discount_code, line_items, metadata)
    values (${storeId}, ${orderHash}, ${contentHash(list, report.content)}, ${report.orderId}, ${made.transactionId}, ${made.commissionId},
      ${click.clickId}, ${click.linkNumber}, ${click.programId}, ${click.creatorId}, ${made.occurredAt}, ${made.recordedAt},
      ${report.subtotal}, ${report.eligible}, ${report.orderName}, ${report.customerId}, ${report.discountCode}, null, null)
    on conflict do nothing`;
}

function commission({ commission: opened }: Conversion): Sql {
  const { storeId, commissionId, programId, creatorId, linkNumber, source, eligible, earning, occurredAt, recordedAt } = opened;
  return sql`
    insert into commissions (store_id, commission_id, state, program_id, creator_id, link_number, source_kind, source_id, source_text,
      eligible_cents, amount_cents, occurred_at, recorded_at, terms_version, attribution_days, hold_days, hold_until, auto_approve_at,
      earned)
    values (${storeId}, ${commissionId}, 'pending', ${programId}, ${creatorId}, ${linkNumber}, ${source.kind}, ${source.id}, ${source.text},
      ${eligible}, ${earning.amount}, ${occurredAt}, ${recordedAt}, ${opened.termsVersion}, ${opened.attributionDays}, ${opened.holdDays},
      ${opened.holdUntil}, ${opened.autoApproveAt}, ${JSON.stringify(earningBreakdown(earning))})`;
}

function transfers({ postings }: Conversion): Sql {
  const rows = postings.map(
    ({ storeId, source, debit, credit, amount, creatorId, at }) =>
      sql`(${storeId}::uuid, ${source.kind}, ${source.id}::uuid, ${debit}, ${credit}, ${amount}::bigint,
        ${creatorId}::uuid, ${at}::timestamptz)`,
  );
  return sql`
    insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at) values ${joined(rows, sql`, `)}`;
}

const slots = 16;
/** A single row would make every order wait for the one before; so the baseline uses the same slots as the batches. */
const anySlot = () => Math.floor(Math.random() * slots);

function balances({ postings }: Conversion): Sql {
  const slot = anySlot();
  const rows = postings.flatMap(({ storeId, debit, credit, creatorId, amount }) => [
    sql`(${storeId}::uuid, ${debit}, ${creatorId}::uuid, ${slot}::smallint, ${amount}::bigint, 0)`,
    sql`(${storeId}::uuid, ${credit}, ${creatorId}::uuid, ${slot}::smallint, 0, ${amount}::bigint)`,
  ]);
  return sql`
    insert into balances as sums (store_id, account, creator_id, slot, debit_cents, credit_cents) values ${joined(rows, sql`, `)}
    on conflict (store_id, account, creator_id, slot) do update
    set debit_cents = sums.debit_cents + excluded.debit_cents, credit_cents = sums.credit_cents + excluded.credit_cents`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const figure = ({ order: { storeId, attribution, occurredAt }, commission: { eligible, earning } }: Conversion): Sql => sql`
  insert into link_days as sums (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
  values (
    ${storeId}, ${attribution.credited.linkNumber}, ${dayOf(occurredAt)}::date, 'order', ${anySlot()}, 1, ${eligible}, ${earning.amount})
  on conflict (store_id, link_number, day, what, slot) do update set count = sums.count + excluded.count,
    eligible_cents = sums.eligible_cents + excluded.eligible_cents, commission_cents = sums.commission_cents + excluded.commission_cents`;

const storeFigure = ({ order: { storeId, occurredAt }, commission: { eligible, earning } }: Conversion): Sql => sql`
  insert into store_days as sums (store_id, day, what, slot, count, eligible_cents, commission_cents)
  values (${storeId}, ${dayOf(occurredAt)}::date, 'order', ${anySlot()}, 1, ${eligible}, ${earning.amount})
  on conflict (store_id, day, what, slot) do update set count = sums.count + excluded.count,
    eligible_cents = sums.eligible_cents + excluded.eligible_cents, commission_cents = sums.commission_cents + excluded.commission_cents`;

function line({ postback, explained, order: { report }, now }: Conversion): Sql {
  const kept = logEntryOf(postback, { ...explained, subject: report.orderId, isTest: false, at: now });
  return sql`
    insert into postback_log (store_id, postback_id, at, operation, status, reason, subject, is_test, is_replay, request_id,
      postback_key_id, latency_us, why, warnings, reply, body)
    values (${kept.storeId}, ${kept.postbackId}, ${kept.at}, ${kept.operation}, ${kept.status}, ${kept.reason}, ${kept.subject}, false,
      false,
      ${kept.requestId}, ${kept.postbackKeyId}, ${Math.round(kept.latencyMs * 1_000)}, ${JSON.stringify(kept.why)},
      ${JSON.stringify(kept.warnings)}, ${JSON.stringify(kept.reply)}, ${kept.body})`;
}

import type { Database } from '../src/db/database.ts';
import { sql, texts, type Sql } from '../src/db/sql.ts';
import { dayMs } from '../src/core/time.ts';
import type { Id } from '../src/core/ids.ts';
import { inStretches as inChunks } from './intervals.ts';

const firstNames = ['Farid', 'Nora', 'Ken', 'Aiko', 'Lena', 'Omar', 'Mia', 'Juan', 'Ines', 'Tom'];
const lastNames = ['Noor', 'Berg', 'Silva', 'Kato', 'Weiss', 'Haddad', 'Moreau', 'Costa', 'Lund', 'Reyes', 'Novak', 'Okafor'];

const nameAt = sql`
  (${texts(firstNames)})[1 + place % ${firstNames.length}] || ' ' || (${texts(lastNames)})[1 + (place / 7) % ${lastNames.length}]`;

/** Creators of the installation with different names; the first ones are members of the store. Names the existing creators too. */
export async function fillCreators(database: Database, storeId: Id<'store'>, { creators, members }: ListSizes): Promise<void> {
  await database.run(sql`
    update creators set name = ${nameAt}
    from (select creator_id, row_number() over () as place from creators) as numbered where creators.creator_id = numbered.creator_id`);
  await database.run(sql`
    insert into creators (creator_id, name, email, created_at)
    select md5('creator' || place)::uuid, ${nameAt}, 'creator' || place || '@creator.example', now()
    from generate_series(1, ${creators}::bigint) as place`);
  await database.run(sql`
    insert into programs (store_id, program_id, name, landing_url, status, created_at, attribution_days, hold_days, approval)
    values (${storeId}, md5('p')::uuid, 'Program', 'https://shop.example', 'draft', now(), 30, 30, 'manual')`);
  await database.run(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    select ${storeId}, creator_id, md5('p')::uuid, creator_id, 'approved', created_at + make_interval(secs => place % 86400), created_at
    from (select creator_id, created_at, row_number() over (order by created_at) as place from creators) as numbered
    limit ${members}`);
  for (const table of [sql`creators`, sql`members`]) await database.run(sql`analyze ${table}`);
}

export type ListSizes = Readonly<
  Record<'stores' | 'creators' | 'members' | 'programs' | 'codes' | 'invoices' | 'links' | 'payouts' | 'auditEntries', number>
>;

/** Other stores of the installation. */
export async function fillSmallStores(database: Database, count: number): Promise<void> {
  await database.run(sql`
    insert into stores (store_id, name, site_url, tracking_key, created_at)
    select md5('store' || place)::uuid, 'Store ' || place, 'https://store-' || place || '.example', 'tk_' || md5('store' || place),
      now()
    from generate_series(1, ${count}::bigint) as place`);
  await database.run(sql`analyze stores`);
}

export async function fillPrograms(database: Database, storeId: Id<'store'>, count: number): Promise<void> {
  await database.run(sql`
    insert into programs (store_id, program_id, name, landing_url, status, created_at, attribution_days, hold_days, approval)
    select ${storeId}, md5('program' || place)::uuid, 'Program ' || place, 'https://shop.example', 'draft', now(), 30, 30, 'manual'
    from generate_series(1, ${count}::bigint) as place`);
  await database.run(sql`analyze programs`);
}

/** A code of each member, half of them with an end. */
export async function fillCodes(database: Database, storeId: Id<'store'>, { codes }: ListSizes): Promise<void> {
  await database.run(sql`
    insert into discount_codes (store_id, code_id, code, code_key, program_id, member_id, creator_id, link_number, is_shared, valid_from,
      valid_until, created_at)
    select store_id, md5('code' || place)::uuid, 'SAVE' || place, 'save' || place, program_id, member_id, creator_id, 2000000 + place,
      false, now(), case when place % 2 = 0 then now() + make_interval(hours => place::int) end, now()
    from (select m.*, row_number() over (order by member_id) as place from members m where store_id = ${storeId}) as numbered
    limit ${codes}`);
  await database.run(sql`analyze discount_codes`);
}

/** Each tenth commission has its order with two line items, among them all commissions of the measured creator. */
export async function fillOrders(database: Database, storeId: Id<'store'>): Promise<void> {
  await database.run(sql`
    insert into orders (store_id, order_hash, order_id, transaction_id, commission_id, content_hash, link_number, program_id, creator_id,
      occurred_at, recorded_at, subtotal_cents, eligible_cents, customer_id, line_items)
    select store_id, decode(md5(source_text), 'hex'), source_text, source_id, commission_id, decode(md5('content' || source_text), 'hex'),
      link_number, program_id, creator_id, occurred_at, recorded_at, eligible_cents, eligible_cents,
      'customer-' || right(source_text, 5),
      '[{"productId":"product-' || link_number % 40 || '","amount":6000,"quantity":1},{"productId":"product-' || hashtext(source_text) % 40
        || '","amount":4000,"quantity":2}]'
    from commissions where store_id = ${storeId} and source_kind = 'order' and source_text like '%0'`);
  await database.run(sql`analyze orders`);
}

/** Clicks and orders on each day of a year, of a hundred links. */
export async function fillLinkDays(database: Database, storeId: Id<'store'>): Promise<void> {
  await database.run(sql`
    insert into link_days (store_id, link_number, day, what, slot, count, eligible_cents, commission_cents)
    select store_id, link_number, (now() at time zone 'utc')::date - age, what, -1, 10, 10000, 1000
    from (select store_id, link_number from links where store_id = ${storeId} order by link_number limit 100) as active
    cross join generate_series(0, 364) as age cross join (values ('click'), ('order')) as of (what)`);
  await database.run(sql`analyze link_days`);
}

/** Paid invoices of different amounts. */
export async function fillInvoices(database: Database, storeId: Id<'store'>, count: number): Promise<void> {
  await database.run(sql`
    insert into invoices (store_id, invoice_id, state, began_at, number, issued_at, lines_count, lines_cents, fee_basis_points, fee_cents,
      credit_cents, total_cents, paid_at)
    select ${storeId}, md5('invoice' || place)::uuid, 'paid', at, place, at, 1, 1000 + place * 7919 % 100000, 0, 0, 0,
      1000 + place * 7919 % 100000, at
    from (select place, now() - make_interval(days => (${count} - place)::int) as at
      from generate_series(1, ${count}::bigint) as place) as made`);
  await database.run(sql`analyze invoices`);
}

/** Half of the orders have a number that customers see. */
export const orderNameAt = sql`case when place % 2 = 0 then '#' || place end`;

/** IDs with the time in front, as the service creates them, so that indexes grow at their end as in production. */
export const idAt = (ms: Sql, salt: Sql): Sql => sql`
  (lpad(to_hex((${ms})::bigint), 12, '0') || '7' || substr(md5(${salt}), 1, 3) || '8' || substr(md5(${salt}), 4, 15))::uuid`;

const rowsAtOnce = 50_000;
type Filling = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly count: number };
/** Times of one year, the first one first. */
const timeIn = (count: number): Sql => sql`
  date_trunc('milliseconds', now() - interval '365 days' + make_interval(secs => place * ${(365 * dayMs) / 1_000}::float / ${count}))`;

/** A year of postbacks of one store, of which one in fifty failed. */
export async function fillLogEntries(database: Database, { storeId, count }: Omit<Filling, 'creatorId'>): Promise<void> {
  await inChunks(count, rowsAtOnce, async (from, to) => {
    await database.run(sql`
      insert into postback_log (store_id, postback_id, at, operation, status, reason, subject, is_test, is_replay, request_id,
        postback_key_id, latency_us, why, warnings, reply, body)
      select ${storeId}, ${idAt(sql`extract(epoch from at) * 1000`, sql`'l' || place`)}, at, 'conversion',
        case when place % 50 = 0 then 422 else 200 end, case when place % 50 = 0 then 'click_not_found' else 'recorded' end,
        'order-' || place, false, false, 'request-' || place, md5('k')::uuid, 900, '{}', '[]', '{"ok": true}', null
      from (select place, ${timeIn(count)} as at from generate_series(${from}::bigint, ${to - 1}::bigint) as place) as made`);
  });
  await database.run(sql`analyze postback_log`);
}

/** Subscriptions of one store, every hundredth of one creator, and one in ten of them ended. */
export async function fillRelationships(database: Database, { storeId, creatorId, count }: Filling): Promise<void> {
  await inChunks(count, rowsAtOnce, async (from, to) => {
    await database.run(sql`
      insert into relationships (store_id, relationship_hash, relationship_id, binding_id, bind_event_id, environment, click_id,
        link_number, program_id, creator_id, first_product_id, product_id, bound_at, recorded_at, paid_invoices, earning_invoices, state,
        ended_recorded_at)
      select ${storeId}, decode(md5('r' || place), 'hex'), 'sub-' || place, ${idAt(sql`extract(epoch from at) * 1000`, sql`'b' || place`)},
        md5('e' || place)::uuid, 'live', md5('k' || place)::uuid, place % 50, md5('p')::uuid,
        case when place % 100 = 0 then ${creatorId}::uuid else md5('creator' || 1 + place % 5000)::uuid end, 'plan', 'plan', at, at, 1, 0,
        case when place % 10 = 0 then 'ended' else 'active' end, case when place % 10 = 0 then at end
      from (select place, ${timeIn(count)} as at from generate_series(${from}::bigint, ${to - 1}::bigint) as place) as made`);
  });
  await database.run(sql`analyze relationships`);
}

/** A year of payouts to all creators of `fillCreators`, of which one in two hundred failed. Several have the same amount. */
export async function fillPayouts(database: Database, { creators, payouts }: ListSizes): Promise<void> {
  await inChunks(payouts, rowsAtOnce, async (from, to) => {
    await database.run(sql`
      insert into payouts (creator_id, payout_id, payout_run_id, state, started_by, begun_at, minimum_cents, amount_cents, payout_method_id,
        provider, instrument, gathered_at, sent_at, asked_at, ended_at, told_at, failure_code)
      select md5('creator' || 1 + place % ${creators})::uuid, ${idAt(sql`extract(epoch from at) * 1000`, sql`'y' || place`)},
        md5('run')::uuid, case when place % 200 = 0 then 'failed' else 'paid' end, 'system', at, 1000, 1000 + place * 7919 % 100000,
        md5('m')::uuid, 'manual', 'account', at, at, at, at, at, case when place % 200 = 0 then 'account_closed' end
      from (select place, ${timeIn(payouts)} as at from generate_series(${from}::bigint, ${to - 1}::bigint) as place) as made`);
  });
  await database.run(sql`
    insert into payout_directory (payout_id, creator_id, payout_run_id)
    select payout_id, creator_id, payout_run_id from payouts on conflict do nothing`);
  for (const table of [sql`payouts`, sql`payout_directory`]) await database.run(sql`analyze ${table}`);
}

/** A year of changes by two hundred people, half of them in the store; the last person and the last action are rare. */
export async function fillAuditLog(database: Database, storeId: Id<'store'>, { auditEntries }: ListSizes): Promise<void> {
  await inChunks(auditEntries, rowsAtOnce, async (from, to) => {
    await database.run(sql`
      insert into audit_log (audit_entry_id, at, actor, actor_name, store_id, action, subject, details, request_id)
      select ${idAt(sql`extract(epoch from at) * 1000`, sql`'a' || place`)}, at,
        'user_' || case when place % 50000 = 0 then 200 else place % 200 end, 'Person', case when place % 2 = 0 then ${storeId}::uuid end,
        case when place % 50000 = 0 then 'store.archive' else (${texts(commonActions)})[1 + place / 2 % ${commonActions.length}] end,
        '/api/v1/stores', '{}', 'request-' || place
      from (select place, ${timeIn(auditEntries)} as at from generate_series(${from}::bigint, ${to - 1}::bigint) as place) as made`);
  });
  await database.run(sql`analyze audit_log`);
}

const commonActions = ['session.started', 'commissions.approve', 'commissions.reject', 'link.create', 'member.change', 'terms.add'];

/** Links of one creator. */
export async function fillLinks(database: Database, { storeId, creatorId, count }: Filling): Promise<void> {
  await database.run(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    values (${storeId}, md5('link member')::uuid, md5('p')::uuid, ${creatorId}, 'approved', now(), now()) on conflict do nothing`);
  await database.run(sql`
    insert into links (store_id, link_number, code, program_id, member_id, creator_id, destination_url, created_at)
    select m.store_id, 1000000 + place, 'bench' || place, m.program_id, m.member_id, m.creator_id,
      'https://shop.example/products/' || place, now() - make_interval(hours => place::int)
    from members m cross join generate_series(1, ${count}::bigint) as place
    where m.store_id = ${storeId} and m.program_id = md5('p')::uuid and m.creator_id = ${creatorId}`);
  await database.run(sql`analyze links`);
}

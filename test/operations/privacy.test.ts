import { afterAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { readMigrations } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { plusDays, realNow } from '../../src/core/time.ts';
import { creatorShapes, personShapes } from '../../src/privacy/data-export-sql.ts';
import { exportPersonData, dataSubjectOfCreator } from '../../src/privacy/person-data.ts';
import { addressRetentionDays, invitationRetentionDays, replyRetentionDays, deleteExpiredPeopleData } from '../../src/people/retention.ts';
import { sendDigests } from '../../src/portal/send-digests.ts';
import { verify } from '../../src/app/verify.ts';
import { readTables } from '../architecture/schema.ts';
import { merchantIn, openMerchant, visitLink, type Json } from '../support/merchant.ts';
import { createCreatorPerson, createPerson, signIn } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
await merchant.moveToSpring();

/** Tables with a column of a person or creator that no export includes, each with its reason. */
const notAboutThem: Readonly<Record<string, string>> = {
  creator_notes: "the team's own notes, like those of reviewers; they are erased with the creator",
  creator_messages: 'what a store wrote to many; the recipient has the email',
  creator_message_recipients: 'ids only; each email is exported with the emails',
  creator_imports: "the heads of a store's files",
  creator_import_rows: 'a file of the store, which is deleted after 30 days; what came of it is an invitation',
  clicks: 'what strangers did; a creator sees their number, and they are gone by the month',
  orders: "data of the store's customers; the creator's part is the commission",
  relationships: "data of the store's customers; the creator's part is the commission",
  leads: "data of the store's customers; the creator's part is the commission",
  customer_bindings: "data of the store's customers; the creator's part is the commission",
  bonuses: 'the amount and the reason are exported with the commission; the rest names who added it',
  suspended_creators: 'a copy for the stores of when a creator was suspended, which is exported with the creator',
  transfers: "the store's book; the creator's is exported",
  balances: "sums of the store's book",
  creator_outbox: "entries of the creator's ledger, where they are exported",
  invoice_lines: "the store's invoice; each line is a commission",
  credit_note_lines: "the store's credit note; a line is a commission",
  payout_directory: 'ids only, of payouts that are exported',
  payout_holds: 'what the platform keeps back while it looks for fraud, for its operators; a creator sees the amount in the balance',
  creator_holds: 'the same for everything of one creator',
  risk_cases: "the operators' evidence of fraud, which would teach how to avoid it",
  payout_confirmations: 'which operator confirmed a payout: their entries of the audit log say it',
};

test('an export includes every table with a column of a person or creator, unless the table is listed here with a reason', async () => {
  const creatorId = readPublicId('crt', merchant.world.creator.id);
  invariant(creatorId !== null, 'the seed names its creator');
  const subject = await dataSubjectOfCreator(merchant.database, creatorId);
  invariant(subject !== null, 'the seed creates the user of its creator');
  const { person, creator } = await exportPersonData(merchant.database, subject);
  const exported = new Set([...Object.keys(person), ...Object.keys(creator)]);
  const about = [...readTables(readMigrations()).values()]
    .filter(({ columns }) =>
      columns.some(({ name }) => ['user_id', 'creator_id', 'email', 'to_address', 'made_by', 'actor_name'].includes(name)),
    )
    .map(({ name }) => name)
    .filter((name) => !['audit_log', 'credit_notes', 'idempotency_keys'].includes(name));
  expect(about.filter((name) => !exported.has(name)).sort()).toEqual(Object.keys(notAboutThem).sort());
});

test('every table of an export lists its columns, and a creator’s export omits what only merchants and operators may read', async () => {
  const tables = readTables(readMigrations());
  const computed = new Set([
    'commissions.rates',
    'commissions.order_id',
    'commissions.subscription_invoice_id',
    'commissions.bonus_reason',
    'creator_transfers.payout_id',
  ]);
  for (const [table, shape] of [...Object.entries(personShapes), ...Object.entries(creatorShapes)]) {
    const known = new Set(tables.get(table)?.columns.map(({ name }) => name));
    const odd = Object.keys(shape).filter((column) => !known.has(column) && !computed.has(`${table}.${column}`));
    expect(odd, table).toEqual([]);
  }
  const columns = Object.entries(creatorShapes).flatMap(([table, shape]) => Object.keys(shape).map((column) => `${table}.${column}`));
  const forbidden =
    /explanation|order_name|customer_id|\.discount_code|metadata|reversal_reason|rejected_note|held_by|decided_by|started_by|confirmed_by|instrument|hash|sealed/;
  expect(columns.filter((column) => forbidden.test(column))).toEqual([]);
});

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** A date and time in any format other than `2026-03-01T12:00:00.000Z`. */
const rawTime = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?!\.\d{3}Z)/;
function expectApiForm(text: string): void {
  expect(text).not.toMatch(uuid);
  expect(text).not.toMatch(rawTime);
  expect(text).toMatch(/"commission_id":"com_/);
}

const userOf = async (email: string): Promise<string> => (await merchant.api('POST', '/people/find', { email })).json.user_id;

const whole = async (database: Database): Promise<string> => {
  const tables = await database.all<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  return texts.join('\n');
};
/** Bytes are shown as hex digits, which may contain any four digits; so the bytes are compared. */
const readable = (text: string) =>
  text.replace(/\\+x([0-9a-f]+)/g, (_all, hex: string) => Buffer.from(hex, 'hex').toString('latin1').replaceAll('\n', ' '));
const linesWith = (text: string, word: string) => text.split('\n').filter((line) => line.includes(word));
/** Four digits not surrounded by others: an ID or a time may contain any four. */
const linesWithNumber = (text: string, digits: string) =>
  text.split('\n').filter((line) => new RegExp(`(?<![0-9a-z.])${digits}(?![0-9a-z])`).test(line));

async function books(database: Database): Promise<unknown> {
  return database.all(sql`
    select 'store' as book, debit, credit, sum(amount_cents) as cents, count(*) as count from transfers group by debit, credit
    union all
    select 'creator', debit, credit, sum(amount_cents), count(*) from creator_transfers group by debit, credit
    union all
    select 'commissions', state, '', sum(amount_cents), count(*) from commissions group by state order by 1, 2, 3`);
}
const differences = async () =>
  (await verify(merchant.service.platform)).flatMap(({ what, differences: found }) => found.map(({ detail }) => `${what}: ${detail}`));

/** Advances two and a half months, day by day. */
const timeout = 180_000;

test(
  'a paid creator reads all stored data and erases it, no row has their name afterwards, and every book balances as before',
  { timeout },
  async () => {
    const { world } = merchant;
    const { email } = world.logins.creator;
    const reviewer = reviewerOf(merchant);
    const creator = await signIn(merchant.service, world.logins.creator);
    const [sale, rejected] = [await reviewer.sale({ order_subtotal_cents: 40_000 }), await reviewer.sale()];
    expect((await reviewer.act('approve', { ids: [sale.commissionId] })).status).toBe(200);
    expect((await reviewer.act('reject', { ids: [rejected.commissionId] })).status).toBe(200);
    const own = `/creators/${world.creator.id}`;
    const tax = { country: 'DE', legal_name: 'Cora C. Creatorova', tax_id: 'DE 12-3456789' };
    const taxed = await creator('PUT', `${own}/tax-details`, tax);
    expect(taxed.status, taxed.text).toBe(200);
    const dispute = { store_id: world.store.id, commission_id: rejected.commissionId, text: 'It was I, Cora' };
    const disputed = await creator('POST', `${own}/disputes`, dispute);
    expect(disputed.status, disputed.text).toBe(201);

    const kept = await creator('GET', '/profile/export');
    expect(kept.status, kept.text).toBe(200);
    expect(kept.json.person.users).toMatchObject([{ email, name: 'Cora Creator' }]);
    expect(kept.json.person.sessions.length).toBeGreaterThan(0);
    expect(kept.json.creator.commissions).toHaveLength(2);
    expect(kept.json.creator.creator_tax).toMatchObject([{ legal_name: 'Cora C. Creatorova', tax_id_last4: '6789' }]);
    expect(kept.json.creator.commission_disputes).toMatchObject([{ words: 'It was I, Cora' }]);
    for (const secret of ['password_hash', 'token_hash', 'key_hash', 'sealed', 'address_hash']) expect(kept.text).not.toContain(secret);

    expectApiForm(kept.text);

    const early = await creator('POST', '/profile/erase', {});
    expect([early.status, early.json?.message]).toEqual([409, expect.stringContaining('still open')]);
    await merchant.moveClock('31d');
    await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
    await expect.poll(async () => (await creator('POST', '/profile/erase', {})).json?.message).toContain('still has a balance');
    await merchant.moveClock('45d');

    const before = await books(merchant.database);
    const paid = (await merchant.api('GET', `/creators/${world.creator.id}/payouts`)).json.data;
    expect(paid.map(({ state }: Json) => state)).toEqual(['paid']);
    const full = readable(await whole(merchant.database));
    for (const word of [email, 'It was I, Cora', 'Creatorova']) expect(linesWith(full, word), word).not.toEqual([]);
    expect(linesWithNumber(full, '6789')).not.toEqual([]);
    expect((await creator('POST', '/profile/erase', {})).status).toBe(204);
    expect((await creator('GET', '/profile/export')).status).toBe(401);
    const text = readable(await whole(merchant.database));
    for (const word of [email, 'Cora', 'Creatorova']) expect(linesWith(text, word)).toEqual([]);
    expect(linesWithNumber(text, '6789')).toEqual([]);
    expect(await books(merchant.database)).toEqual(before);
    expect(await differences()).toEqual([]);
    expect((await merchant.api('GET', `/creators/${world.creator.id}`)).json).toMatchObject({ name: 'erased', status: 'suspended' });
    const log = (await merchant.api('GET', '/audit-log')).json.data;
    expect(log[0]).toMatchObject({ action: 'person.erased', actor_name: 'erased', details: {} });
  },
);

test('the links of an erased creator issue no clicks, and their sales stay with the store', async () => {
  const { world } = merchant;
  // The link may be cached for less than two seconds.
  await expect
    .poll(async () => {
      const { status, headers } = await visitLink(merchant.service.url, world.link.code);
      return [status, headers.get('location')?.replace(/\/$/, '')];
    })
    .toEqual([302, world.store.site_url]);
  const sold = (await merchant.api('GET', `/stores/${world.store.id}/commissions`)).json.data;
  expect(sold.map(({ creator_id: id, state }: Json) => [id, state]).sort()).toEqual([
    [world.creator.id, 'paid'],
    [world.creator.id, 'rejected'],
  ]);
});

test('an operator erases a store member everywhere; the last owner of a store and the last operator cannot be erased', async () => {
  const { world } = merchant;
  const { email } = world.logins.merchant;
  const found = (await merchant.api('POST', '/people/find', { email })).json;
  const path = `/people/${found.user_id}`;
  const alone = await merchant.api('POST', `${path}/erase`, {});
  expect([alone.status, alone.json.message]).toEqual([409, expect.stringContaining('no other owner')]);
  const person = await signIn(merchant.service, world.logins.merchant);
  expect((await person('GET', '/audit-log')).status).toBe(403);
  const next = await createPerson(merchant.service, 'Nina Next');
  await merchant.database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select user_id, ${merchant.storeId}, 'owner', created_at from users where email = ${next.email}`);
  await person('POST', `/stores/${world.store.id}/invitations`, { email: 'friend@people.example', role: 'viewer' });
  const kept = await merchant.api('GET', `${path}/export`);
  expect(kept.json.person.store_roles).toHaveLength(1);
  expect(kept.json.person.audit_log.length).toBeGreaterThan(0);
  expect((await merchant.api('POST', `${path}/erase`, {})).status).toBe(204);
  const text = await whole(merchant.database);
  expect(linesWith(text, email)).toEqual([]);
  // An email to another person contains the name only in its sealed body.
  expect(linesWith(text, 'Mara Merchant')).toEqual([]);
  expect((await merchant.api('GET', `/stores/${world.store.id}/team`)).text).toContain('Nina Next');
  const operator = (await merchant.api('POST', '/people/find', { email: world.logins.operator.email })).json;
  const last = await merchant.api('POST', `/people/${operator.user_id}/erase`, {});
  expect([last.status, last.json.message]).toEqual([409, expect.stringContaining('at least one operator')]);
  expect((await merchant.api('POST', `${path}/erase`, {})).status).toBe(404);
});

test('an operator erases a creator who is still owed money only with an explicit flag, and the books keep the amount', async () => {
  const subject = await createCreatorPerson(merchant.service, 'Ola Owed');
  const { world } = merchant;
  const added = await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/members`, { creator_id: subject.id });
  expect(added.status, added.text).toBe(201);
  const made = await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/links`, { creator_id: subject.id });
  const click = await merchant.click(made.json.url);
  expect((await merchant.convert(await merchant.order({ click_id: click }))).status).toBe(200);
  const path = `/creators/${subject.id}/erase`;
  expect((await merchant.api('POST', path.replace(/.{6}\/erase$/, '000000/erase'), {})).status).toBe(404);
  expect((await merchant.api('POST', path, {})).status).toBe(409);
  const before = await books(merchant.database);
  expect((await merchant.api('POST', path, { even_if_owed: true })).status).toBe(204);
  expect(await books(merchant.database)).toEqual(before);
  expect(linesWith(await whole(merchant.database), 'Ola Owed')).toEqual([]);
  expect(await differences()).toEqual([]);
  // Their sales still cause events, but an email about them has no recipient.
  await sendDigests(merchant.service.platform, new Date(merchant.at(3_600_000)));
  expect(await merchant.database.all(sql`select subject from mails where to_address = ''`)).toEqual([]);
});

test('a store exports and erases the data of a customer: the order, its amounts and its idempotency remain', async () => {
  const customerFields = { customer_id: 'cust-81', order_name: '#1042', metadata: { note: 'for Dora' }, discount_code: 'DORA5' };
  const other = await createCreatorPerson(merchant.service, 'Cato Clicked');
  const { world } = merchant;
  await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/members`, { creator_id: other.id });
  const made = await merchant.api('POST', `/stores/${world.store.id}/programs/${world.program.id}/links`, { creator_id: other.id });
  const order = await merchant.order({ ...customerFields, click_id: await merchant.click(made.json.url) });
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
  const path = `/stores/${world.store.id}/customers`;
  const kept = await merchant.api('POST', `${path}/export`, { customer_id: 'cust-81' });
  expect(kept.json.orders).toEqual([
    {
      order_id: order.order_id,
      occurred_at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}\.\d{3}Z$/),
      subtotal_cents: 10_005,
      order_name: '#1042',
      customer_id: 'cust-81',
      discount_code: 'DORA5',
      discount_codes: [],
      line_items: null,
      metadata: { note: 'for Dora' },
    },
  ]);
  const before = await books(merchant.database);
  expect((await merchant.api('POST', `${path}/erase`, { customer_id: 'cust-81' })).json).toEqual({ orders: 1, leads: 0, bodies: 1 });
  const text = await whole(merchant.database);
  for (const word of ['cust-81', '#1042', 'Dora', 'DORA5']) expect(linesWith(text, word)).toEqual([]);
  expect(await books(merchant.database)).toEqual(before);
  expect((await merchant.convert(order)).json.reason).toBe('duplicate_order');
  expect((await merchant.api('POST', `${path}/erase`, { order_id: order.order_id })).json).toEqual({ orders: 1, leads: 0, bodies: 1 });
  for (const none of [{}, { customer_id: 'a\u0000' }, { customer_id: 'a', order_id: 'b' }])
    expect((await merchant.api('POST', `${path}/erase`, none)).status).toBe(400);
});

test('erases what was sent with an order that was never recorded, by its order_id', async () => {
  const order = await merchant.order({ click_id: 'rmc_none', order_subtotal_cents: -1, metadata: { note: 'for Rita Refused' } });
  expect((await merchant.convert(order)).status).toBe(400);
  const lines = async () => linesWith(readable(await whole(merchant.database)), 'Rita Refused').length;
  await expect.poll(lines).toBe(1);
  const erased = await merchant.api('POST', `/stores/${merchant.world.store.id}/customers/erase`, { order_id: order.order_id });
  expect(erased.json).toEqual({ orders: 0, leads: 0, bodies: 1 });
  expect(await lines()).toBe(0);
});

test('stores an IP address only as a daily hash, and deletes it with expired invitations and stored responses', async () => {
  const { platform } = merchant.service;
  const { database } = platform;
  const hashes = await database.all<{ hash: Buffer }>(
    sql`select distinct address_hash as hash from audit_log where address_hash is not null`,
  );
  expect(hashes.length).toBeGreaterThan(0);
  const today = realNow().toISOString().slice(0, 10);
  const own = platform.secrets.keyedHash('127.0.0.1', `address ${today}`);
  expect(hashes.some(({ hash }) => hash.equals(own))).toBe(true);
  expect(hashes.some(({ hash }) => hash.equals(platform.secrets.keyedHash('127.0.0.1', 'address')))).toBe(false);

  const old = (days: number) => plusDays(realNow(), -days - 1);
  const idAt = (at: Date) =>
    `${Math.floor(at.getTime())
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})(.{4})$/, '$1-$2')}-7000-8000-000000000001`;
  await database.run(sql`
    insert into audit_log (audit_entry_id, at, actor, actor_name, action, subject, details, request_id, address_hash)
    values (${idAt(old(addressRetentionDays))}, ${old(addressRetentionDays)}, 'key_a', 'a', 'old', 's', '{}', 'r', ${Buffer.from('old')})`);
  await database.run(sql`
    insert into invitations (invitation_id, email, kind, made_at, expires_at)
    values (${idAt(old(200))}, 'old@people.example', 'operator', ${old(200)}, ${old(invitationRetentionDays)})`);
  await database.run(sql`
    insert into idempotency_keys (actor, key_hash, request_hash, made_at)
    values ('key_a', ${Buffer.from('k')}, ${Buffer.from('r')}, ${old(replyRetentionDays)})`);
  await deleteExpiredPeopleData(platform);
  const left = await database.one(sql`
    select (select count(*) from audit_log where address_hash = ${Buffer.from('old')}) as addresses,
      (select count(*) from audit_log where action = 'old') as entries,
      (select count(*) from audit_log where address_hash is not null) > 0 as young,
      (select count(*) from invitations where email = 'old@people.example') as invitations,
      (select count(*) from idempotency_keys where actor = 'key_a') as replies`);
  expect(left).toEqual({ addresses: 0n, entries: 1n, young: true, invitations: 0n, replies: 0n });
});

test('a creator reads none of the merchant’s notes, and every ID and time has the format of the API', async () => {
  const own = merchantIn(merchant.service, await merchant.service.seed());
  const { world } = own;
  const reviewer = reviewerOf(own);
  const secret = { order_name: 'NAME-7', customer_id: 'BUYER-7', discount_code: 'CODE-7', metadata: { note: 'META-7' } };
  const [reversed, rejected] = [await reviewer.sale(secret), await reviewer.sale(secret)];
  expect((await own.reverse({ order_id: reversed.orderId, reason: 'REASON-7' })).status).toBe(200);
  await reviewer.act('reject', { ids: [rejected.commissionId], reason: 'returned', note: 'NOTE-7' });
  for (const path of [`/creators/${world.creator.id}/export`, `/people/${await userOf(world.logins.creator.email)}/export`]) {
    const { status, text, json } = await own.api('GET', path);
    expect(status, text).toBe(200);
    for (const word of ['NAME-7', 'BUYER-7', 'CODE-7', 'META-7', 'REASON-7', 'NOTE-7', 'reversal_reason']) expect(text).not.toContain(word);
    expectApiForm(text);
    const sold = json.creator.commissions.find((one: Json) => one.commission_id === reversed.commissionId);
    expect(sold).toMatchObject({ order_id: reversed.orderId, state: 'reversed', amount_cents: 1_001 });
  }
});

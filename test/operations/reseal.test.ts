import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { decideDoctor } from '../../src/operations/decide-doctor.ts';
import { examine } from '../../src/operations/examine-installation.ts';
import { enqueueEmail } from '../../src/people/enqueue-email.ts';
import { readEmail } from '../../src/notify/stored-email.ts';
import { listEmails } from '../../src/notify/emails-sql.ts';
import { signUpEmail } from '../../src/notify/account-emails.ts';
import { createRecoveryCodes, startSecondFactor, redeemCode } from '../../src/people/second-factor.ts';
import { countNotSealedBy, listSealed } from '../../src/db/sealed-columns.ts';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { createSecrets, type Secrets } from '../../src/core/secrets.ts';
import { realNow } from '../../src/core/time.ts';
import { reseal, sealedColumns } from '../../src/app/reseal.ts';
import { sealedToken } from '../../src/shopify-orders/access-token.ts';
import { sealSecret } from '../../src/shopify-orders/connection.ts';
import { saveConnection as saveShopifyConnection } from '../../src/shopify-orders/connections-sql.ts';
import { insertEndpoint } from '../../src/webhooks/endpoints-sql.ts';
import { createSecret, openSecrets } from '../../src/webhooks/signatures.ts';
import { type Account, peopleApp, type PeopleApp } from '../support/people-app.ts';

/** One installation with a value in every sealed column, whose key is changed. */
const [firstKey, secondKey] = [randomBytes(32), randomBytes(32)];
const first = createSecrets(firstKey);
const changing = createSecrets(secondKey, firstKey);
const second = createSecrets(secondKey);
let app: PeopleApp;
let person: Account;
let codes: readonly string[];

const withSecrets = (secrets: Secrets): Platform => ({ ...app.platform, secrets });

beforeAll(async () => {
  app = await peopleApp({ secretKey: firstKey });
  const { database } = app.platform;
  const creator = await app.creator();
  person = await app.account({ creatorId: creator.creatorId });
  const client = await app.signedIn(person);
  await enqueueEmail(database, first, {
    to: person.email,
    content: signUpEmail({ url: 'https://t.example/link', hours: 24 }),
    storeId: null,
  });
  const details = { country: 'DE', legal_name: 'A. Creator', tax_id: 'DE 123 456 789' };
  await client.call('PUT', `/creators/${creator.id}/tax-details`, details);
  await client.call('PUT', `/creators/${creator.id}/payout-method`, { manual: 'DE02120300000000202051' });
  const { storeId, id } = await app.store(person);
  const made = await client.call('POST', `/stores/${id}/postback-keys`, { name: 'Shop' }, { 'idempotency-key': 'once' });
  invariant(made.status === 201, `a key can be created: ${made.text}`);
  await startSecondFactor(database, first, person);
  codes = await createRecoveryCodes(database, first, person.userId);
  // As a new authenticator app that is not confirmed yet.
  await database.run(sql`update users set totp_replacement_sealed = totp_sealed where user_id = ${person.userId}`);
  const endpoint = { storeId, endpointId: newId<'wh'>(realNow()) };
  const events = ['order.recorded'];
  await insertEndpoint(database, { ...endpoint, url: 'https://shop.example/hook', description: null, events, createdAt: realNow() });
  await createSecret(database, first, endpoint);
  const stripeSecrets = { signing_secret: 'whsec_sampleOfTheTests', api_key: 'rk_test_sampleOfTheTests' };
  await client.call('PUT', `/stores/${id}/stripe`, stripeSecrets);
  // A rotation keeps the previous secret.
  await client.call('PUT', `/stores/${id}/stripe`, { signing_secret: 'whsec_nextOfTheTests' });
  const shopifyToken = { token: 'shpat_sampleOfTheTests', expiresInSeconds: 60, refreshToken: 'shprt_sampleOfTheTests' };
  await saveShopifyConnection(database, {
    storeId,
    postbackKeyId: newId<'pbkey'>(realNow()),
    shop: 'a-store.myshopify.com',
    clientId: 'sample-of-the-tests',
    clientSecretSealed: sealSecret(first, storeId, { kind: 'client secret', plain: 'shpss_sampleOfTheTests' }),
    connectedAt: realNow(),
    comparedUntil: realNow(),
    ...sealedToken(withSecrets(first), storeId, shopifyToken),
  });
  const to = { manual: 'GB33BUKB20201555555555' };
  const method = await setPayoutMethod(database, first, { creatorId: creator.creatorId, to, at: realNow(), hasEarned: false, setBy: null });
  // As a manual payout stores it; the other columns of a payout do not matter here.
  await database.run(sql`
    insert into payouts (creator_id, payout_id, payout_run_id, state, started_by, begun_at, minimum_cents, amount_cents, payout_method_id,
      provider, instrument, gathered_at)
    values (${creator.creatorId}, ${newId<'pay'>(realNow())}, ${newId<'prn'>(realNow())}, 'ready', 'job', ${realNow()}, 100, 100,
      ${method.payoutMethodId}, 'manual', ${method.instrument}, ${realNow()})`);
});
afterAll(() => app.close());

/** Every sealed value in plain text, by its column. */
async function openAll(secrets: Secrets): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const column of sealedColumns) {
    const rows = await listSealed(app.platform.database, column, { after: null, limit: 100 });
    found[`${column.table}.${column.column}`] = rows.map(({ key, sealed }) => secrets.open(sealed, column.boundTo(key)).toString('hex'));
  }
  return found;
}

const remaining = async () => {
  const counted = sealedColumns.map(
    async (column) => [column.table, await countNotSealedBy(app.platform.database, column, second.keyId)] as const,
  );
  return (await Promise.all(counted)).filter(([, count]) => count > 0).map(([table]) => table);
};

const doctorOn = async (secrets: Secrets) => {
  const platform = withSecrets(secrets);
  const facts = await examine({ config: platform.config, platform, unavailable: '', connectionsEach: 26, sealedColumns });
  return decideDoctor(facts).filter(({ what }) => what === 'key change' || what === 'seals');
};

test('the list of sealed columns names every column of the schema that is called sealed', async () => {
  const columns = await app.platform.database.all<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed%' order by name`);
  const listed = sealedColumns.filter(({ holds }) => holds === 'bytes').map(({ table, column }) => `${table}.${column}`);
  expect(listed.toSorted()).toEqual(columns.map(({ name }) => name));
});

test('the list of sealed columns has each table with its whole primary key', async () => {
  for (const { table, key } of sealedColumns) {
    const columns = await app.platform.database.all<{ name: string }>(sql`
      select a.attname::text as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[])
      where i.indrelid = ${table}::text::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`);
    expect(
      key.map(({ name }) => name),
      table,
    ).toEqual(columns.map(({ name }) => name));
  }
});

test('every sealed column holds a value here, so that the tests below cover all of them', async () => {
  const values = await openAll(first);
  expect(Object.entries(values).filter(([, found]) => found.length === 0)).toEqual([]);
});

test('during a key change both keys open values, the new one seals, and every user can sign in', async () => {
  const before = await openAll(first);
  expect(await openAll(changing)).toEqual(before);
  (await openKeyRing(withSecrets(changing))).close();
  const [code = ''] = codes;
  expect(await redeemCode(app.platform.database, changing, person.userId, code)).toBe(true);
  expect(await redeemCode(app.platform.database, changing, person.userId, code)).toBe(false);
  expect(second.open(changing.seal(Buffer.from('new'), 'a row'), 'a row').toString()).toBe('new');
});

test('the service does not start with only the new key before all values are resealed, and the message says what to do', async () => {
  await expect(openKeyRing(withSecrets(second))).rejects.toThrow(/SECRET_KEY_PREVIOUS/);
  expect(await doctorOn(second)).toEqual([expect.objectContaining({ is: 'bad', what: 'seals' })]);
  expect(await doctorOn(changing)).toEqual([
    expect.objectContaining({ is: 'good', what: 'seals' }),
    expect.objectContaining({ is: 'warn', what: 'key change', message: expect.stringContaining('run reseal') }),
  ]);
});

test('a value that neither key opens is reported, and keeps the signing keys under the previous key', async () => {
  const { database } = app.platform;
  const storeId = newId<'store'>(realNow());
  const mailId = newId<'mail'>(realNow());
  const seal = createSecrets(randomBytes(32)).seal(Buffer.from('{}'), `mail ${mailId}`);
  await database.run(sql`
    insert into mails (mail_id, made_at, to_address, subject, body_sealed, store_id, state, try_at)
    values (${mailId}, ${realNow()}, 'a@people.example', 'A', ${seal}, ${storeId}, 'kept', ${realNow()})`);
  const done = await reseal({ database, secrets: changing });
  expect(done.flatMap(({ unreadable }) => unreadable)).toEqual([mailId]);
  expect(await remaining()).toEqual(['mails', 'signing_keys']);
  await expect(openKeyRing(withSecrets(second))).rejects.toThrow(/SECRET_KEY_PREVIOUS/);
  await database.run(sql`delete from mails where mail_id = ${mailId}`);
});

test('after reseal no sealed column holds a value of the previous key, and every value reads as before', async () => {
  const before = await openAll(changing);
  const logged: string[] = [];
  await reseal({ database: app.platform.database, secrets: changing, onProgress: ({ table }) => logged.push(table) });
  expect(new Set(logged)).toEqual(new Set(sealedColumns.map(({ table }) => table)));
  expect(await remaining()).toEqual([]);
  expect(await openAll(second)).toEqual(before);
  await expect(openAll(first)).rejects.toThrow(/SECRET_KEY/);
  (await openKeyRing(withSecrets(second))).close();
  await expect(openKeyRing(withSecrets(first))).rejects.toThrow(/SECRET_KEY/);
});

test('a second reseal changes nothing, and two concurrent ones lose nothing', async () => {
  const before = await openAll(second);
  const again = await reseal({ database: app.platform.database, secrets: changing });
  expect(again.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(0);
  const back = createSecrets(firstKey, secondKey);
  const both = await Promise.all([1, 2].map(() => reseal({ database: app.platform.database, secrets: back })));
  expect(await openAll(first)).toEqual(before);
  expect(both.flat().flatMap(({ unreadable }) => unreadable)).toEqual([]);
  await reseal({ database: app.platform.database, secrets: changing });
  expect(await openAll(second)).toEqual(before);
});

test('doctor reports when the previous key can be removed, and whose recovery codes it invalidates', async () => {
  const { database } = app.platform;
  expect((await doctorOn(changing))[1]).toMatchObject({ is: 'warn', message: expect.stringMatching(/safe to remove.*codes of 1 people/) });
  codes = await createRecoveryCodes(database, changing, person.userId);
  expect((await doctorOn(changing))[1]).toMatchObject({
    is: 'good',
    message: expect.stringContaining('safe to remove SECRET_KEY_PREVIOUS'),
  });
  expect(await doctorOn(second)).toEqual([expect.objectContaining({ is: 'good', what: 'seals' })]);
  expect(await redeemCode(database, second, person.userId, codes[0] ?? '')).toBe(true);
});

test('with only the new key all values open, and the next key change finds values written since', async () => {
  const { database } = app.platform;
  const [mail] = await listEmails(database, null, { after: null, limit: 1 });
  expect((await readEmail(database, second, mail?.mailId ?? newId<'mail'>(realNow())))?.text).toContain('Tributary');
  const endpoint = await database.one<{ storeId: never; endpointId: never }>(
    sql`select store_id, webhook_endpoint_id as endpoint_id from webhook_secrets`,
  );
  expect(await openSecrets(database, second, endpoint, realNow())).toEqual([expect.stringMatching(/^whsec_/)]);
  await createSecret(database, second, endpoint);
  expect(await remaining()).toEqual(['webhook_secrets']);
  const third = createSecrets(randomBytes(32), secondKey);
  await reseal({ database, secrets: third });
  expect(await openSecrets(database, third, endpoint, realNow())).toHaveLength(2);
});

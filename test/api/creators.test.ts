import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEmail } from '../../src/notify/stored-email.ts';
import { payoutOptions } from '../../src/creators/payout-methods-api.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { realNow } from '../../src/core/time.ts';
import { modulesApp, type Caller, type Json, type ModulesApp } from '../support/modules-app.ts';

let app: ModulesApp;

beforeAll(async () => void (app = await modulesApp()));
afterAll(() => app.close());

const make = async (body: object = {}): Promise<Json> =>
  (await app.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example', ...body })).json;

const idOf = (creator: Json) => {
  const creatorId = readPublicId('crt', creator.id);
  invariant(creatorId !== null, 'a creator has an id');
  return creatorId;
};

test('a creator created in the sandbox starts with a payout method that is usable immediately', async () => {
  const { status, json } = await app.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example' });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^crt_[0-9a-z]{26}$/),
    name: 'Cora',
    email: 'cora@people.example',
    status: 'active',
    suspended_at: null,
    suspension_reason: null,
    payout_method: {
      provider: 'sandbox',
      sandbox: 'ok',
      last4: null,
      since: '2026-03-01T12:00:00.000Z',
      usable_from: '2026-03-01T12:00:00.000Z',
      came_back_at: null,
    },
    payout_minimum_cents: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect((await app.operator('GET', `/creators/${json.id}`)).json).toEqual(json);
  expect((await app.keyOfCreator(idOf(json))('GET', `/creators/${json.id}`)).json).toEqual(json);
});

test('live, a creator starts without a payout method, sandbox values are 422, and an API key cannot set a method', async () => {
  const live = await modulesApp('live');
  const { json } = await live.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example' });
  expect(json.payout_method).toBeNull();
  const setWith = (caller: Caller) => caller('PUT', `/creators/${json.id}/payout-method`, { sandbox: 'ok' });
  expect(await setWith(live.sessionOfCreator(idOf(json), realNow()))).toMatchObject({ status: 422, json: { reason: 'unprocessable' } });
  const refused = { status: 403, json: { reason: 'person_required' } };
  expect(await setWith(live.operator)).toMatchObject(refused);
  expect(await setWith(live.keyOfCreator(idOf(json)))).toMatchObject(refused);
  await live.close();
});

test.each<[field: string, body: object]>([
  ['name', { name: '' }],
  ['name', { name: 'a\u0000b' }],
  ['email', { email: 'cora' }],
  ['email', { email: 'cora@people.example\r\nbcc: all@people.example' }],
  ['email', { email: `${'x'.repeat(250)}@people.example` }],
  ['email', { email: null }],
  ['status', { status: 'suspended' }],
])('a creator with a wrong %s is 400 and names it', async (field, body) => {
  const { status, json } = await app.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example', ...body });
  expect([status, json.errors[0].field]).toEqual([400, field]);
});

test('only an operator creates, lists, suspends, and unsuspends creators', async () => {
  const creator = await make();
  const asks = [
    ['POST', '/creators', { name: 'Cora', email: 'cora@people.example' }],
    ['GET', '/creators', undefined],
    ['POST', `/creators/${creator.id}/suspend`, undefined],
    ['POST', `/creators/${creator.id}/unsuspend`, undefined],
  ] as const;
  for (const caller of [await app.person(), app.keyOfCreator(idOf(creator))]) {
    for (const [method, path, body] of asks)
      expect(await caller(method, path, body)).toMatchObject({ status: 403, json: { reason: 'operator_only' } });
  }
});

test('lists creators newest first, page by page, each with its payout method', async () => {
  const made: string[] = [];
  for (let hour = 1; hour <= 3; hour++) {
    app.moveTo(new Date(Date.UTC(2026, 2, 2, hour)));
    made.unshift((await make()).id);
  }
  const first = (await app.operator('GET', '/creators?limit=2')).json;
  const second = (await app.operator('GET', `/creators?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...second.data].slice(0, 3).map(({ id, payout_method }: Json) => [id, payout_method.sandbox])).toEqual(
    made.map((id) => [id, 'ok']),
  );
});

test('suspending twice keeps the first time, and unsuspending twice succeeds', async () => {
  app.moveTo(new Date('2026-03-03T00:00:00.000Z'));
  const creator = await make();
  const suspended = { ...creator, status: 'suspended', suspended_at: '2026-03-03T00:00:00.000Z' };
  expect(await app.operator('POST', `/creators/${creator.id}/suspend`)).toMatchObject({ status: 200, json: suspended });
  app.moveTo(new Date('2026-03-04T00:00:00.000Z'));
  expect((await app.operator('POST', `/creators/${creator.id}/suspend`)).json).toEqual(suspended);
  expect((await app.operator('POST', `/creators/${creator.id}/unsuspend`)).json).toEqual(creator);
  expect((await app.operator('POST', `/creators/${creator.id}/unsuspend`)).json).toEqual(creator);
});

test('an unknown creator id is 404 for an operator too', async () => {
  const [creator, other] = [await make(), await make()];
  const none = `${creator.id.slice(0, -3)}${other.id.slice(-3)}`;
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['POST', '/suspend', undefined],
    ['POST', '/unsuspend', undefined],
    ['PUT', '/payout-method', { sandbox: 'ok' }],
  ] as const) {
    expect(await app.operator(method, `/creators/${none}${path}`, body)).toMatchObject({ status: 404, json: { reason: 'not_found' } });
  }
});

test('a changed payout method waits 72 hours, setting it again does not extend that, and only a change notifies the creator', async () => {
  app.moveTo(new Date('2026-03-05T08:30:00.000Z'));
  const creator = await make({ email: 'notified@people.example' });
  const put = async (sandbox: string) =>
    (await app.operator('PUT', `/creators/${creator.id}/payout-method`, { sandbox })).json.payout_method;
  const mails = async () =>
    (await app.platform.database.pool.query(`select mail_id from mails where to_address = 'notified@people.example'`)).rows;
  app.moveTo(new Date('2026-03-06T08:30:00.000Z'));
  expect(await put('ok')).toEqual(creator.payout_method);
  expect(await mails()).toHaveLength(0);

  const times = { since: '2026-03-06T08:30:00.000Z', usable_from: '2026-03-09T08:30:00.000Z', came_back_at: null };
  const changed = { provider: 'sandbox', sandbox: 'returned', last4: null, ...times };
  expect(await put('returned')).toEqual(changed);
  app.moveTo(new Date('2026-03-07T08:30:00.000Z'));
  expect(await put('returned')).toEqual(changed);
  expect((await app.operator('GET', `/creators/${creator.id}`)).json.payout_method).toEqual(changed);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect((await readEmail(app.platform.database, app.platform.secrets, mail.mail_id))?.text).toContain('March 9, 2026 at 08:30 UTC');
});

test('stores a manual payout account encrypted and shows only its end; another spelling is the same account', async () => {
  app.moveTo(new Date('2026-03-10T08:30:00.000Z'));
  const creator = await make();
  const put = async (destination: string) =>
    (await app.operator('PUT', `/creators/${creator.id}/payout-method`, { manual: { destination } })).json.payout_method;
  const set = await put('DE89 3704 0044 0532 0130 00');
  expect(set).toEqual({
    provider: 'manual',
    sandbox: null,
    last4: '3000',
    since: '2026-03-10T08:30:00.000Z',
    usable_from: '2026-03-13T08:30:00.000Z',
    came_back_at: null,
  });
  app.moveTo(new Date('2026-03-11T08:30:00.000Z'));
  expect(await put('  de89 3704 0044 0532  0130 00 ')).toEqual(set);
  expect((await put('DE89 3704 0044 0532 0130 01')).since).toBe('2026-03-11T08:30:00.000Z');
  for (const table of ['payout_methods', 'audit_log', 'mails']) {
    const { rows } = await app.platform.database.pool.query(`select t::text as text from ${table} t`);
    expect(rows.filter(({ text }) => /3704 ?0044 ?0532/.test(text))).toEqual([]);
  }
});

test.each([
  [{}],
  [{ sandbox: 'ok', manual: { destination: 'DE89 3704 0044 0532 0130 00' } }],
  [{ manual: {} }],
  [{ manual: { destination: 'DE\u000089370400440532013000' } }],
  [{ manual: { destination: '----------' } }],
  [{ manual: { destination: 'DE1' } }],
])('rejects a payout method without a destination: %j is 400', async (body) => {
  const creator = await make();
  expect(await app.operator('PUT', `/creators/${creator.id}/payout-method`, body)).toMatchObject({
    status: 400,
    json: { reason: 'invalid_request' },
  });
});

test('a creator sets the minimum amount of a payout, and removes it', async () => {
  const creator = await make();
  const key = app.keyOfCreator(idOf(creator));
  const put = async (minimum: unknown) => key('PUT', `/creators/${creator.id}/payout-minimum`, { minimum_cents: minimum });
  expect((await put(9_000)).json.payout_minimum_cents).toBe(9_000);
  expect((await put(null)).json.payout_minimum_cents).toBeNull();
  for (const wrong of [-1, 1.5, 100_000_001, '9000']) expect((await put(wrong)).status).toBe(400);
});

test('a creator changes their own payout method after recent reauthentication', async () => {
  const creator = await make();
  const path = `/creators/${creator.id}/payout-method`;
  const longAgo = app.sessionOfCreator(idOf(creator), new Date(realNow().getTime() - 11 * 60_000));
  expect(await longAgo('PUT', path, { sandbox: 'declined' })).toMatchObject({ status: 403, json: { reason: 'proof_required' } });
  const justNow = app.sessionOfCreator(idOf(creator), realNow());
  expect(await justNow('PUT', path, { sandbox: 'declined' })).toMatchObject({
    status: 200,
    json: { payout_method: { sandbox: 'declined' } },
  });
});

test.each([[{}], [{ sandbox: 'fine' }], [{ sandbox: 'insufficient_then_ok' }], [{ sandbox: 'ok', usable_from: '2020-01-01T00:00:00Z' }]])(
  'rejects %j as a payout method: 400',
  async (body) => {
    const creator = await make();
    expect(await app.operator('PUT', `/creators/${creator.id}/payout-method`, body)).toMatchObject({
      status: 400,
      json: { reason: 'invalid_request' },
    });
  },
);

test('concurrent changes leave one method in use', async () => {
  const creator = await make();
  const words = ['declined', 'returned', 'timeout_then_ok', 'declined', 'returned', 'ok'];
  const put = await Promise.all(words.map((sandbox) => app.operator('PUT', `/creators/${creator.id}/payout-method`, { sandbox })));
  expect(put.map(({ status }) => status)).toEqual(words.map(() => 200));
  const inUse = await app.platform.database.pool.query('select 1 from payout_methods where creator_id = $1 and replaced_at is null', [
    idOf(creator),
  ]);
  expect(inUse.rows).toHaveLength(1);
});

test('the same Idempotency-Key creates one creator', async () => {
  const body = { name: 'Once', email: 'once@people.example' };
  const first = await app.operator('POST', '/creators', body, { 'idempotency-key': 'c' });
  expect((await app.operator('POST', '/creators', body, { 'idempotency-key': 'c' })).text).toBe(first.text);
});

test('the payout options include Stripe only where it is configured, and the sandbox method only in the sandbox', async () => {
  expect(payoutOptions('sandbox', false)).toEqual(['sandbox', 'manual']);
  expect(payoutOptions('sandbox', true)).toEqual(['sandbox', 'manual', 'stripe']);
  expect(payoutOptions('live', false)).toEqual(['manual']);
  expect(payoutOptions('live', true)).toEqual(['manual', 'stripe']);
  const creator = await make();
  const read = await app.keyOfCreator(idOf(creator))('GET', `/creators/${creator.id}/payout-method`);
  expect(read).toMatchObject({ status: 200, json: { options: ['sandbox', 'manual'], payout_method: creator.payout_method } });
});

test('a creator changes their own name, which merchants see', async () => {
  const creator = await make();
  const changed = await app.keyOfCreator(idOf(creator))('PATCH', `/creators/${creator.id}`, { name: 'Cora’s Cameras' });
  expect(changed).toMatchObject({ status: 200, json: { ...creator, name: 'Cora’s Cameras' } });
  expect((await app.operator('PATCH', `/creators/${creator.id}`, { name: ' ' })).status).toBe(400);
});

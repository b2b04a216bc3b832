import { afterAll, expect, test } from 'vitest';
import { modulesApp, type Json } from '../support/modules-app.ts';

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
const store: Json = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
const path = `/stores/${store.id}/payment-method`;

test('a store starts without a payment method', async () => {
  expect((await alice('GET', path)).json).toEqual({ payment_method: null, backup_payment_method: null, takes_cards: false });
});

test('stores each sandbox value, and a new one replaces the previous one', async () => {
  for (const sandbox of ['declined', 'timeout_then_ok', 'insufficient_then_ok', 'ok', 'ok']) {
    const method = {
      payment_method: { provider: 'sandbox', sandbox, since: '2026-03-01T12:00:00.000Z' },
      backup_payment_method: null,
      takes_cards: false,
    };
    expect(await alice('PUT', path, { sandbox })).toMatchObject({ status: 200, json: method });
    expect((await alice('GET', path)).json).toEqual(method);
  }
});

test.each([[{}], [{ sandbox: 'fine' }], [{ sandbox: null }], [{ sandbox: 'ok', card: '4242' }]])(
  'rejects %j as a payment method: 400',
  async (body) => {
    expect(await alice('PUT', path, body)).toMatchObject({ status: 400, json: { reason: 'invalid_request' } });
  },
);

test('concurrent requests leave one method in use', async () => {
  const set = await Promise.all(Array.from({ length: 10 }, () => alice('PUT', path, { sandbox: 'ok' })));
  expect(set.map(({ status }) => status)).toEqual(set.map(() => 200));
  const { rows } = await app.platform.database.pool.query('select 1 from payment_methods where replaced_at is null');
  expect(rows).toHaveLength(1);
});

test('a backup method is added beside the default one, and can be removed', async () => {
  const backup = path.replace('payment-method', 'backup-payment-method');
  await alice('PUT', path, { sandbox: 'declined' });
  const both = { payment_method: { sandbox: 'declined' }, backup_payment_method: { sandbox: 'ok' } };
  expect((await alice('PUT', backup, { sandbox: 'ok' })).json).toMatchObject(both);
  expect((await alice('GET', path)).json).toMatchObject(both);
  expect((await alice('DELETE', backup)).json).toMatchObject({
    payment_method: { sandbox: 'declined' },
    backup_payment_method: null,
    takes_cards: false,
  });
});

test('live, a sandbox value is 422', async () => {
  const live = await modulesApp('live');
  const merchant = await live.person();
  const { json } = await merchant('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' });
  expect(await merchant('PUT', `/stores/${json.id}/payment-method`, { sandbox: 'ok' })).toMatchObject({
    status: 422,
    json: { reason: 'unprocessable' },
  });
  expect((await merchant('GET', `/stores/${json.id}/payment-method`)).json).toEqual({
    payment_method: null,
    backup_payment_method: null,
    takes_cards: false,
  });
  await live.close();
});

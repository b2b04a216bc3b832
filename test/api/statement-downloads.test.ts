import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { sql } from '../../src/db/sql.ts';
import { openMerchant } from '../support/merchant.ts';

const merchant = await openMerchant();
const responses: IncomingMessage[] = [];
afterAll(async () => {
  for (const response of responses) response.destroy();
  await merchant.service.stop();
});
await merchant.convert(await merchant.order());
const lines = 50_000;
// Their file is larger than what Node and the kernel hold for a connection.
await merchant.database.run(sql`
  insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at)
  select store_id, source_kind, gen_random_uuid(), debit, credit, amount_cents, creator_id, at
  from (select * from transfers where store_id = ${merchant.storeId} limit 1) as one, generate_series(1, ${lines})`);

const month = merchant.at().slice(0, 7);
const storePath = `/stores/${merchant.world.store.id}/statement`;
const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };

/** Reads only the beginning of the response. `fetch` would open a new connection after each canceled one, and delay the end of the test. */
async function begin(path: string): Promise<IncomingMessage> {
  const request = get(`${merchant.service.url}/api/v1${path}?period=${month}`, { headers, agent: false });
  const [response]: IncomingMessage[] = await once(request, 'response');
  invariant(response !== undefined, 'a response event has a response');
  responses.push(response);
  return response.on('error', () => {});
}
const statusOfStore = async (): Promise<number | undefined> => (await begin(storePath)).statusCode;

test('an account has four statements of the current month in memory, each until its download has ended', async () => {
  const downloads = await Promise.all(Array.from({ length: 4 }, () => begin(storePath)));
  expect(downloads.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);

  const rejected = await begin(storePath);
  expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([503, '5']);
  expect(await json(rejected)).toMatchObject({
    reason: 'temporarily_unavailable',
    message: 'Too many statements of the current month are being downloaded. Try again in a few seconds.',
  });
  const ofCreator = await begin(`/creators/${merchant.world.creator.id}/statement`);
  expect(ofCreator.statusCode).toBe(200);
  ofCreator.destroy();

  const [complete, disconnected] = downloads;
  invariant(complete !== undefined && disconnected !== undefined, 'four downloads were begun');
  expect((await text(complete)).trim().split('\r\n').length).toBeGreaterThan(lines);
  await expect.poll(statusOfStore, { timeout: 10_000 }).toBe(200);
  await expect.poll(statusOfStore).toBe(503);
  disconnected.destroy();
  await expect.poll(statusOfStore, { timeout: 10_000 }).toBe(200);
});

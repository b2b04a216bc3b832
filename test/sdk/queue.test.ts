import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { decideQueued } from '../../sdk/src/decide-queued.ts';
import { openFileStore } from '../../sdk/src/file-store.ts';
import { createPostgresStore } from '../../sdk/src/postgres-store.ts';
import { createQueue, type Queue, type QueueStore } from '../../sdk/src/queue.ts';
import { createTributary, type Conversion, type Result } from '../../sdk/src/tributary.ts';
import { freshDatabase } from '../support/database.ts';
import { answeringServer, away, recorded, refusal, type Deed } from './answering-server.ts';
import { newFolder } from './queue-folder.ts';

const { url } = await freshDatabase();
const ends: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
async function inFiles(): Promise<QueueStore> {
  const store = await openFileStore(await newFolder());
  ends.push(store.close);
  return store;
}

async function inPostgres(): Promise<QueueStore> {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  ends.push(() => pool.end());
  const store = createPostgresStore((text, parameters) => pool.query(text, parameters));
  await store.createTable();
  await pool.query('truncate tributary_postbacks');
  return store;
}

const order = (orderId: string): Conversion => ({ orderId, clickId: 'rmc_abc', orderSubtotalCents: 500 });

async function queueOn(store: QueueStore, ...deeds: readonly Deed[]) {
  const server = await answeringServer(...deeds);
  ends.push(server.close);
  const limits = { attemptsMax: 1, timeoutMs: 10_000 };
  const tributary = createTributary({ baseUrl: server.url, trackingKey: 'trk', postbackKey: 'pbk', limits });
  const results: Result[] = [];
  const queue = createQueue({ tributary, store, onResult: (result) => results.push(result) });
  return { ...server, queue, results, orderIds: () => server.received.map(({ body }) => orderIn(body)) };
}

const orderIn = (body: string): string => {
  const { order_id, event_id, occurred_at } = JSON.parse(body);
  expect(occurred_at).toMatch(/Z$/);
  return order_id ?? event_id;
};
const workAll = async (queue: Queue) => {
  while ((await queue.work()) > 0);
};
/** Makes reports that are due later due now. */
const later = (store: QueueStore, ms: number): QueueStore => ({
  ...store,
  take: (query) => store.take({ ...query, now: new Date(query.now.getTime() + ms) }),
});

const stores = [
  ['files', inFiles],
  ['PostgreSQL', inPostgres],
] as const;

describe.each(stores)('a queue in %s', (_where, open) => {
  test('sends each report once, and keeps no accepted report', async () => {
    const store = await open();
    const { queue, orderIds } = await queueOn(store, recorded);
    for (const id of ['1', '2', '3']) expect(await queue.conversions.record(order(id))).toEqual({ is: 'added' });
    await workAll(queue);
    expect(orderIds().toSorted()).toEqual(['1', '2', '3']);
    expect(await store.take({ now: new Date(Date.now() + 1e9), leaseMs: 1, most: 9 })).toEqual([]);
  });

  test('keeps one report about an order, also when it is added many times concurrently', async () => {
    const { queue, orderIds } = await queueOn(await open(), recorded);
    const added = await Promise.all(Array.from({ length: 9 }, () => queue.conversions.record(order('1'))));
    expect(added.filter(({ is }) => is === 'added')).toHaveLength(1);
    await workAll(queue);
    expect(orderIds()).toEqual(['1']);
  });

  test('retries the same bytes through an outage, after a minute at first, then after longer pauses', async () => {
    const store = await open();
    const sent: string[] = [];
    for (const [failures, pauseMs] of [0, 60_000, 120_000, 240_000].entries()) {
      const { queue, received, results } = await queueOn(later(store, pauseMs + 1_000), failures < 3 ? away : recorded);
      if (failures === 0) await queue.conversions.record(order('1'));
      // Well before that time, because this test takes a while.
      expect(await later(store, pauseMs - 20_000).take({ now: new Date(), leaseMs: 1, most: 9 })).toEqual([]);
      expect(await queue.work()).toBe(1);
      expect(results).toMatchObject([failures < 3 ? { retry: 'later' } : { ok: true }]);
      sent.push(...received.map(({ path, body }) => `${path} ${body}`));
    }
    expect([sent.length, new Set(sent).size]).toEqual([4, 1]);
  });

  test('sends the reports of one order in the order in which they were added: a refund waits for its order', async () => {
    const store = await open();
    const { queue, orderIds } = await queueOn(store, away);
    await queue.conversions.record(order('1'));
    await queue.conversions.reverse({ orderId: '1' });
    await queue.conversions.record(order('2'));
    await workAll(queue);
    expect(orderIds().toSorted()).toEqual(['1', '2']);
    const next = await queueOn(later(store, 120_000), recorded);
    await workAll(next.queue);
    expect(next.received.filter(({ body }) => orderIn(body) === '1').map(({ path }) => path.split('/').at(-1))).toEqual([
      'conversions',
      'reversals',
    ]);
  });
});

describe.each(stores)('of a queue in %s', (_where, open) => {
  test('a report that is on hold until the next day blocks no other report', async () => {
    const store = await open();
    const { queue, orderIds } = await queueOn(store, refusal(500, 'active_hold'), recorded);
    await queue.subscriptions.reverseInvoice({ eventId: 'refund', relationshipId: 's', invoiceId: 'i' });
    await queue.subscriptions.end({ eventId: 'end', relationshipId: 's' });
    await workAll(queue);
    expect(orderIds()).toEqual(['refund', 'end']);
    expect(await later(store, 86_300_000).take({ now: new Date(), leaseMs: 1, most: 9 })).toEqual([]);
    expect(await later(store, 86_500_000).take({ now: new Date(), leaseMs: 1, most: 9 })).toMatchObject([
      { operation: 'invoice_reversal', failures: 1 },
    ]);
  });

  test('a report that was on hold and then met an outage waits for no other report', async () => {
    const store = await open();
    const { queue } = await queueOn(store, refusal(500, 'active_hold'));
    for (const orderId of ['1', '2']) await queue.conversions.reverse({ orderId });
    await workAll(queue);
    const tomorrow = await queueOn(later(store, 86_500_000), away);
    expect(await tomorrow.queue.work()).toBe(2);
    const query = { now: new Date(Date.now() + 86_700_000), leaseMs: 1, most: 9 };
    expect(await store.take(query)).toHaveLength(2);
  });

  test('a rejected report is not sent again, and can be replaced by a corrected one', async () => {
    const store = await open();
    const { queue, received } = await queueOn(store, refusal(422, 'unsupported_pricing_currency'), recorded);
    await queue.conversions.record({ ...order('1'), currency: 'EUR' });
    await workAll(queue);
    expect(await later(store, 1e9).take({ now: new Date(), leaseMs: 1, most: 9 })).toEqual([]);
    expect(await queue.conversions.record(order('1'))).toEqual({ is: 'added' });
    await workAll(queue);
    expect(received).toHaveLength(2);
  });

  test('a report that a crashed process had taken is taken again after its lease', async () => {
    const store = await open();
    const { queue } = await queueOn(store, recorded);
    await queue.conversions.record(order('1'));
    const now = new Date();
    const query = { leaseMs: 1_000, most: 9 };
    expect(await store.take({ ...query, now })).toHaveLength(1);
    expect(await store.take({ ...query, now })).toHaveLength(0);
    expect(await store.take({ ...query, now: new Date(now.getTime() + 1_001) })).toHaveLength(1);
  });
});

describe.each(stores)('with a queue in %s', (_where, open) => {
  test('works in the background until it is stopped', async () => {
    const { queue, orderIds } = await queueOn(await open(), recorded);
    await queue.conversions.record(order('1'));
    queue.start();
    await expect.poll(orderIds).toEqual(['1']);
    await queue.stop();
    await queue.conversions.record(order('2'));
    // Longer than the pause between two polls.
    await pause(1_500);
    expect(orderIds()).toEqual(['1']);
  });

  test('does not add an order without a click', async () => {
    const { queue } = await queueOn(await open(), recorded);
    expect(await queue.conversions.record({ ...order('1'), clickId: null })).toMatchObject({
      is: 'not_sent',
      reason: 'missing_referral_click',
    });
    expect(await queue.work()).toBe(0);
  });
});

test('two processes on one table share the work, and send no report twice', async () => {
  const first = await queueOn(await inPostgres(), recorded);
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  ends.push(() => pool.end());
  const second = await queueOn(
    createPostgresStore((text, parameters) => pool.query(text, parameters)),
    recorded,
  );
  for (let id = 0; id < 40; id += 1) await first.queue.conversions.record(order(String(id)));
  await Promise.all([workAll(first.queue), workAll(second.queue)]);
  const orderIds = [...first.orderIds(), ...second.orderIds()];
  expect([orderIds.length, new Set(orderIds).size]).toEqual([40, 40]);
});

test('a report that was added in a rolled-back transaction is never sent', async () => {
  await inPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  ends.push(() => client.end());
  await client.query('begin');
  const { queue } = await queueOn(
    createPostgresStore((text, parameters) => client.query(text, parameters)),
    recorded,
  );
  await queue.conversions.record(order('1'));
  await client.query('rollback');
  expect(await queue.work()).toBe(0);
});

test('reports in files survive a crash of their process, in order; an incomplete file is ignored', async () => {
  const folder = await newFolder();
  const store = new URL('../../sdk/src/', import.meta.url);
  const script = `
    const { openFileStore } = await import('${new URL('file-store.ts', store).href}');
    const { createQueue } = await import('${new URL('queue.ts', store).href}');
    const queue = createQueue({ tributary: { send: () => new Promise(() => {}) }, store: await openFileStore(${JSON.stringify(folder)}) });
    for (let id = 0; ; id += 1) { await queue.conversions.record({ orderId: String(id), clickId: 'c', orderSubtotalCents: 1 }); console.log(id); }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await expect.poll(() => out.split('\n').length).toBeGreaterThan(20);
  await expect(openFileStore(folder)).rejects.toThrow('uses this folder already');
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  await writeFile(join(folder, 'half.draft'), '{"id":');
  const reopened = await openFileStore(folder);
  ends.push(reopened.close);
  const ids = (await reopened.take({ now: new Date(), leaseMs: 1, most: 100_000 })).map(({ body }) => orderIn(body));
  const promised = out.trim().split('\n');
  expect(ids.slice(0, promised.length)).toEqual(promised);
});

test('a rejected report is stored in refused.jsonl with its bytes and the reason, and contains no key', async () => {
  const folder = await newFolder();
  const store = await openFileStore(folder);
  ends.push(store.close);
  const { queue, received } = await queueOn(store, refusal(409, 'duplicate_order_conflict'));
  await queue.conversions.record(order('1'));
  await queue.work();
  const line = JSON.parse(await readFile(join(folder, 'refused.jsonl'), 'utf8'));
  expect(line).toMatchObject({ operation: 'conversion', body: received[0]?.body, reason: 'duplicate_order_conflict' });
  expect((await readdir(folder)).toSorted()).toEqual(['lock.1', 'refused.jsonl']);
});

const result = (fields: object) => ({ reason: '', message: '', status: 500, requestId: null, attempts: 1, ...fields }) as Result;
test.each<readonly [string, number, Result, object]>([
  ['accepted', 0, result({ ok: true, retry: 'no' }), { is: 'settled' }],
  ['rejected', 0, result({ ok: false, retry: 'no' }), { is: 'refused' }],
  ['held', 9, result({ ok: false, retry: 'tomorrow', retryAfterMs: 86_400_000 }), { is: 'waits', ms: 86_400_000, holdsLane: false }],
  ['the first failure', 0, result({ ok: false, retry: 'later', retryAfterMs: 1 }), { is: 'waits', ms: 60_000, holdsLane: true }],
  ['the third', 2, result({ ok: false, retry: 'later', retryAfterMs: 1 }), { is: 'waits', ms: 240_000, holdsLane: true }],
  ['the thousandth', 999, result({ ok: false, retry: 'later', retryAfterMs: 1 }), { is: 'waits', ms: 3_600_000, holdsLane: true }],
  ['a Retry-After of the server', 0, result({ ok: false, retry: 'later', retryAfterMs: 9e6 }), { is: 'waits', ms: 9e6, holdsLane: true }],
])('decides what follows: %s', (_case, failures, response, next) => expect(decideQueued({ failures }, response)).toEqual(next));

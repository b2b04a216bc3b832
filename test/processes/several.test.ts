import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { enqueueEmail } from '../../src/people/enqueue-email.ts';
import { signUpEmail } from '../../src/notify/account-emails.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import { freshDatabase } from '../support/database.ts';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { besideMain, freePort, startMain, type MainProcess } from '../support/main-process.ts';
import { merchantIn, visitLink, type Json, type Merchant } from '../support/merchant.ts';
import { within } from '../support/size.ts';

/** A change in one process reaches the other processes in time. */
const promisedMs = 2_000;
const knownMsMax = within(promisedMs);

let mails: MailServer;
let processes: readonly MainProcess[];
let one: Merchant;
let other: Merchant;
beforeAll(async () => {
  mails = await startMailServer();
  const { url: DATABASE_URL, database } = await freshDatabase();
  // Empty, as at the very first start.
  await database.pool.query('drop schema public, graphile_worker cascade; create schema public');
  await database.end();
  const settings = { DATABASE_URL, SMTP_URL: mails.url };
  // Starts all processes concurrently, as several machines may: each tries to create the schema.
  processes = await Promise.all(['web', 'all', 'jobs', 'jobs'].map(async (ROLE) => startMain(await freePort(), { ...settings, ROLE })));
  const [first, second] = processes.map(({ url }) => besideMain(DATABASE_URL, url));
  invariant(first !== undefined && second !== undefined, 'there are two request processes');
  const world = await first.seed();
  one = merchantIn(first, world);
  other = merchantIn(second, world);
  return async () => {
    for (const { kill } of processes) await kill();
    await first.stop();
    await second.stop();
    await mails.close();
  };
});

/** Measures how long a change takes to become visible, by repeated requests like those of stores and shoppers. */
async function msUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > 2 * knownMsMax) return Infinity;
    await pause(20);
  }
  return performance.now() - startedAt;
}

let ownOrders = 0;
/** Both processes serve the same store, so each of its orders has a unique ID. */
const ownOrder = () => other.order({ order_id: `of the other process ${(ownOrders += 1)}` });

const codeOf = ({ world }: Merchant) => world.link.code;
const earnsAt = async ({ service, world }: Merchant) =>
  (await visitLink(service.url, world.link.code)).headers.get('location')?.includes('rm_click=') === true;

test('a link that one process pauses stops earning in the other within 2 seconds, and earns again as quickly', async () => {
  const { data } = (await one.api('GET', `/stores/${one.world.store.id}/programs/${one.world.program.id}/members`)).json;
  const member = `/stores/${one.world.store.id}/programs/${one.world.program.id}/members/${data[0].id}`;
  expect(await earnsAt(other)).toBe(true);
  for (const status of ['paused', 'approved']) {
    expect((await one.api('PATCH', member, { status })).status).toBe(200);
    expect(await msUntil(async () => (await earnsAt(other)) === (status === 'approved'))).toBeLessThan(knownMsMax);
  }
});

test('a postback key that one process revokes is rejected by the other within 2 seconds', async () => {
  const keys = `/stores/${one.world.store.id}/postback-keys`;
  const made: Json = (await one.api('POST', keys)).json;
  const authorization = `Bearer ${made.key}`;
  expect((await other.convert(await ownOrder(), { authorization })).status).toBe(200);
  expect((await one.api('DELETE', `${keys}/${made.id}`)).status).toBeLessThan(300);
  const refused = async () => (await other.convert(await ownOrder(), { authorization })).status === 401;
  expect(await msUntil(refused)).toBeLessThan(knownMsMax);
});

test('the live stream of one process sends an event that another process recorded, once', async () => {
  const stopping = new AbortController();
  const stream = await fetch(`${one.service.url}/api/v1/stores/${one.world.store.id}/tracking-log/stream`, {
    headers: { authorization: `Bearer ${one.world.operator_key}` },
    signal: stopping.signal,
  });
  let text = '';
  void (async () => {
    for await (const piece of stream.body ?? []) text += Buffer.from(piece).toString('utf8');
  })().catch(() => {});
  const order = await ownOrder();
  expect((await other.convert(order)).status).toBe(200);
  expect(await msUntil(async () => text.includes(order.order_id))).toBeLessThan(knownMsMax);
  await pause(promisedMs);
  stopping.abort();
  expect(text.split(`"${order.order_id}"`).length).toBe(2);
});

test('two concurrent requests with one idempotency key, to two processes, create one resource', async () => {
  const ask = ({ service, world }: Merchant) =>
    fetch(`${service.url}/api/v1/stores/${world.store.id}/postback-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.operator_key}`, 'idempotency-key': 'the same' },
    });
  const made = (await Promise.all([ask(one), ask(other)])).filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  const ids = await Promise.all(made.map(async (answer) => ((await answer.json()) as Json).id as string));
  expect(new Set(ids).size).toBe(1);
  // The endpoint of the seed, and the new one.
  expect((await one.api('GET', `/stores/${one.world.store.id}/postback-keys`)).json.data).toHaveLength(2);
});

test('a clock change in one process applies to all, and each scheduled job runs once', async () => {
  const now = async (merchant: Merchant) => new Date((await merchant.api('GET', '/sandbox/clock')).json.now).getTime();
  for (let count = 0; count < 10; count++)
    expect((await one.convert(await one.order({ order_id: `of a month ${count}` }))).status).toBe(200);
  await one.moveClock('35d');
  expect(await msUntil(async () => Math.abs((await now(one)) - (await now(other))) < 1_000)).toBeLessThan(knownMsMax);
  const { data } = (await one.api('GET', `/stores/${one.world.store.id}/commissions?limit=100`)).json;
  const ids = (data as ReadonlyArray<{ id: string }>).map(({ id }) => id);
  expect((await one.api('POST', `/stores/${one.world.store.id}/commissions/approve`, { ids })).status).toBe(200);
  // Two processes advance the clock concurrently, and a third runs the jobs of each minute.
  await Promise.all([one.moveClock('40d'), other.moveClock('40d')]);
  const { invoices, charges, commissions } = await one.database.one<{ invoices: bigint; charges: bigint; commissions: bigint }>(sql`
    select (select count(*) from invoices where store_id = ${one.storeId}) as invoices,
      (select count(*) from charges where store_id = ${one.storeId} and state = 'succeeded') as charges,
      (select count(*) from commissions where store_id = ${one.storeId} and state in ('collected', 'paid')) as commissions`);
  expect({ invoices, charges, commissions }).toEqual({ invoices: 1n, charges: 1n, commissions: BigInt(ids.length) });
  expect((await verify(one.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});

test('an email is sent once, whichever of three processes sends it', async () => {
  const { platform } = one.service;
  const content = signUpEmail({ url: 'https://tributary.example/link#token', hours: 24 });
  const addresses = Array.from({ length: 30 }, (_none, index) => `somebody-${index}@people.example`);
  for (const to of addresses)
    await platform.database.transaction((tx) => enqueueEmail(tx, platform.secrets, { to, content, storeId: null }));
  const takenFor = (to: string) => mails.received.filter((mail) => mail.includes(`To: ${to}`)).length;
  await expect.poll(() => addresses.filter((to) => takenFor(to) === 0), { timeout: 60_000 }).toEqual([]);
  await pause(1_000);
  expect(addresses.map(takenFor)).toEqual(addresses.map(() => 1));
});

test('a request process runs no job, and a job process answers only health and metrics requests', async () => {
  const jobs = processes[2]?.url ?? '';
  for (const path of ['/healthz', '/readyz']) expect((await fetch(jobs + path)).status).toBe(200);
  expect((await fetch(`${jobs}/metrics`)).status).toBe(401);
  for (const path of [`/r/${codeOf(one)}`, '/', '/docs', '/api/v1/me'])
    expect((await fetch(jobs + path, { redirect: 'manual' })).status).toBe(404);
  const { workers } = await one.database.one<{ workers: bigint }>(sql`
    select count(*) as workers from pg_stat_activity
    where datname = current_database() and application_name = 'tributary jobs' and query like 'LISTEN%'`);
  expect(Number(workers)).toBe(3);
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';
import { verify } from '../../src/app/verify.ts';
import { freshDatabase } from '../support/database.ts';
import { startArguments } from '../../scripts/start-arguments.ts';
import { besideMain, childEnvironment, freePort, startMain } from '../support/main-process.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { reportMeasurement } from '../support/size.ts';
import { openShopping } from './shoppers.ts';

const names = ['jobs', 'web 1', 'web 2'];
const endMsMax = 60_000;
const giveUpMs = 5_000;

/** Two request processes and one job process, below a supervisor that restarts them. */
async function startSeveral(settings: Readonly<Record<string, string>> = {}) {
  const { url: DATABASE_URL, database } = await freshDatabase();
  await database.end();
  const main = await startMain(await freePort(), { DATABASE_URL, WORKERS: '2', ...settings });
  const service = besideMain(DATABASE_URL, main.url);
  const stop = async () => {
    await service.stop();
    await main.kill();
  };
  return { main, stop, merchant: merchantIn(service, await service.seed()) };
}

async function metricsOf({ service, world }: Merchant): Promise<string> {
  // Uses a new connection for each request, so that different processes answer.
  const answer = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${world.operator_key}`, connection: 'close' } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** One metric of each process, by process name. */
function byProcess(text: string, name: string): ReadonlyMap<string, number> {
  const lines = text.matchAll(new RegExp(`^tributary_${name}\\{(?:.*,)?process="([^"]+)".*\\} (\\S+)$`, 'gm'));
  const found = new Map<string, number>();
  for (const [, process = '', value] of lines) found.set(process, (found.get(process) ?? 0) + Number(value));
  return found;
}

const startedAt = async (merchant: Merchant) => byProcess(await metricsOf(merchant), 'process_start_time_seconds');

async function orderIds({ database, storeId }: Merchant): Promise<readonly string[]> {
  const rows = await database.all<{ orderId: string }>(sql`select order_id from orders where store_id = ${storeId}`);
  return rows.map(({ orderId }) => orderId);
}

function childrenOf(pid: number): readonly number[] {
  return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);
}

/** Shared by the tests after which it has its three processes again. */
let several: Awaited<ReturnType<typeof startSeveral>>;
beforeAll(async () => {
  several = await startSeveral();
}, 180_000);
afterAll(() => several.stop());

test('any process returns the metrics of all processes, and reports a hanging process as down', async () => {
  const { main, merchant } = several;
  const forged = { authorization: 'Bearer unknown', connection: 'close' };
  for (let sent = 0; sent < 20; sent++) expect((await merchant.convert({}, forged)).status).toBe(401);
  // A busy process that does not answer in time counts as down.
  let texts: readonly string[] = [];
  const upInAll = async () => {
    texts = await Promise.all(Array.from({ length: 6 }, () => metricsOf(merchant)));
    return texts.map((text) => byProcess(text, 'process_up'));
  };
  await expect.poll(upInAll).toEqual(Array.from({ length: 6 }, () => new Map(names.map((name) => [name, 1]))));
  for (const text of texts) {
    const unauthenticated = byProcess(text, 'postbacks_turned_away_total');
    expect([...unauthenticated.values()].reduce((sum, count) => sum + count, 0)).toBe(20);
    // Each metric is described once, however many processes have it.
    expect(text.match(/^# TYPE tributary_postbacks_turned_away_total /gm)).toHaveLength(1);
  }
  const jobs = childrenOf(main.pid).at(-1);
  invariant(jobs !== undefined, 'the supervisor has children');
  process.kill(jobs, 'SIGSTOP');
  onTestFinished(() => void process.kill(jobs, 'SIGCONT'));
  const up = async () => [...byProcess(await metricsOf(merchant), 'process_up').values()].toSorted();
  await expect.poll(up).toEqual([0, 1, 1]);
}, 180_000);

test('a killed process is restarted while the others serve', async () => {
  const { main, merchant } = several;
  const [first] = childrenOf(main.pid);
  invariant(first !== undefined, 'the supervisor has children');
  const before = await startedAt(merchant);
  const order = await merchant.order();
  process.kill(first, 'SIGKILL');
  // Requests that were being passed to the killed process get no answer: senders time out and retry.
  const sent = async () => (await Promise.race([merchant.convert(order), pause(giveUpMs, null)]))?.status;
  await expect.poll(sent, { timeout: 60_000 }).toBe(200);
  await expect.poll(() => childrenOf(main.pid).filter((pid) => pid !== first).length, { timeout: 60_000 }).toBe(names.length);
  const isNew = async () => [...(await startedAt(merchant))].filter(([name, at]) => at > (before.get(name) ?? Infinity)).length;
  await expect.poll(isNew, { timeout: 60_000 }).toBe(1);
}, 180_000);

test('SIGHUP replaces all processes one after another under load, and no request fails', async () => {
  const { main, merchant } = several;
  const shopping = openShopping(merchant);
  const earlier = new Set(await orderIds(merchant));
  const before = await startedAt(merchant);
  expect([...before.keys()].toSorted()).toEqual(names);
  const began = performance.now();
  await shopping.during(async () => {
    await pause(500);
    process.kill(main.pid, 'SIGHUP');
    const areNew = async () =>
      [...(await startedAt(merchant))].filter(([name, at]) => at > (before.get(name) ?? Infinity)).map(([name]) => name);
    await expect.poll(async () => (await areNew()).toSorted(), { timeout: 120_000, interval: 250 }).toEqual(names);
    // The process that was replaced last is still shutting down.
    await expect.poll(() => childrenOf(main.pid).length, { timeout: 60_000 }).toBe(names.length);
    await pause(500);
  });
  const response = `${shopping.requests()} requests in ${Math.round(performance.now() - began)} ms, ${shopping.failed().length} failed`;
  process.stdout.write(`rolling restart: ${response}\n`);
  reportMeasurement({ what: 'a rolling restart of two processes under load', measured: response, limit: '0 failed' });
  expect(shopping.failed()).toEqual([]);
  expect(shopping.requests()).toBeGreaterThan(50);
  const kept = (await orderIds(merchant)).filter((id) => !earlier.has(id));
  expect(kept.toSorted()).toEqual([...shopping.orders()].toSorted());
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
}, 240_000);

test('after SIGTERM /readyz fails immediately, other requests are served for the drain time, and the process ends in time', async () => {
  const { main, merchant, stop } = await startSeveral({ DRAIN_MS: '6000' });
  onTestFinished(stop);
  const shopping = openShopping(merchant);
  const ready = () => fetch(`${main.url}/readyz`, { headers: { connection: 'close' } }).then(({ status }) => status);
  expect(await ready()).toBe(200);
  await shopping.during(async () => {
    process.kill(main.pid, 'SIGTERM');
    await expect.poll(ready, { timeout: 4_000, interval: 20 }).toBe(503);
    await pause(1_000);
    expect(await ready()).toBe(503);
  });
  expect(shopping.failed()).toEqual([]);
  const signalledAt = performance.now();
  await main.ended;
  expect(performance.now() - signalledAt).toBeLessThan(endMsMax);
  await expect(ready()).rejects.toThrow('fetch failed');
}, 180_000);

test('if one process cannot start, none does, and the reason is logged once', async () => {
  const { url: DATABASE_URL, database } = await freshDatabase();
  await database.end();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const address = taken.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const child = spawn(process.execPath, [...startArguments, '--workers', '2', '--role', 'web'], {
    env: {
      ...childEnvironment,
      PORT: String(address.port),
      DATABASE_URL,
      LOG_LEVEL: 'silent',
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')));
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(said.match(/the port is in use by another program/g)).toHaveLength(1);
  expect(said).toContain('a process failed to start, so no process was started');
}, 180_000);

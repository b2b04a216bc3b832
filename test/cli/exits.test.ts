import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answeringServer, away, recorded, refusal, type Deed } from '../sdk/answering-server.ts';

// How a command ends, as the script that runs it sees it.
let folder = '';
const ends: Array<() => unknown> = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-exits-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true, force: true });
});

async function serverThat(...deeds: readonly Deed[]) {
  const server = await answeringServer(...deeds);
  ends.push(server.close);
  return server;
}

type Ended = { readonly code: number | null; readonly signal: string | null; readonly out: string };

function begin(url: string, ...words: readonly string[]) {
  const keys = { TRIBUTARY_TRACKING_KEY: 'trk', TRIBUTARY_POSTBACK_KEY: 'pbk', TRIBUTARY_STORE: 'store_1', TRIBUTARY_API_KEY: 'key' };
  const child = spawn(process.execPath, ['cli/main.ts', ...words], { env: { ...env, ...keys, TRIBUTARY_URL: url } });
  ends.push(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal, out })));
  return { ended, interrupt: () => child.kill('SIGINT') };
}
const run = (url: string, ...words: readonly string[]): Promise<Ended> => begin(url, ...words).ended;

const orders = 'order_id,click_id,total,occurred_at\n1,rmc_1,5,2026-03-01T12:00:00Z\n';
const closedPort = 'http://127.0.0.1:9';
const stream = { status: 200, text: ': here\n\n', headers: { 'content-type': 'text/event-stream' } } as const;

test.each<readonly [string, Deed | null, number]>([
  ['a service that is not there', null, 75],
  ['a service that answers 503', away, 75],
  ['a proxy that answers 502', { status: 502, text: '<html>' }, 75],
  ['a service that asks to wait', refusal(429, 'too_many_requests'), 75],
  ['a key that is wrong', refusal(401, 'wrong_key'), 1],
  ['an address that leads elsewhere', { status: 302, json: {}, headers: { location: 'https://elsewhere.example/' } }, 1],
])('the exit code of %s says whether a script may retry the command', async (_what, deed, code) => {
  const url = deed === null ? closedPort : (await serverThat(deed)).url;
  const table = join(folder, 'orders.csv');
  await writeFile(table, orders);
  const all = await Promise.all([run(url, 'reconcile', table), run(url, 'verify'), run(url, 'tail'), run(url, 'collection')]);
  expect(all.map((ended) => ended.code)).toEqual([code, code, code, code]);
  for (const { out } of all) expect(out).toMatch(/^tributary: .+\n$/);
});

test('send appends undelivered postbacks to its file, which only its user can read', async () => {
  const { url } = await serverThat(refusal(500, 'active_hold'));
  const failed = join(folder, 'failed.jsonl');
  for (const id of ['1', '2']) {
    await writeFile(join(folder, 'body.json'), `{"order_id":"${id}"}`);
    expect((await run(url, 'send', 'reversal', join(folder, 'body.json'), '--failed', failed)).code).toBe(75);
  }
  const kept = (await readFile(failed, 'utf8')).trimEnd().split('\n');
  expect(kept.map((line) => JSON.parse(line).body)).toEqual(['{"order_id":"1"}', '{"order_id":"2"}']);
  expect((await stat(failed)).mode & 0o077).toBe(0);
});

test('an interrupt ends send immediately', async () => {
  const { url, received } = await serverThat('silence');
  await writeFile(join(folder, 'body.json'), '{"order_id":"1"}');
  const { ended, interrupt } = begin(url, 'send', 'reversal', join(folder, 'body.json'));
  await expect.poll(() => received.length).toBe(1);
  interrupt();
  const { signal } = await ended;
  expect([signal, received.length]).toEqual(['SIGINT', 1]);
});

test('an interrupt ends replay after the current report, and the remaining ones stay stored', async () => {
  const server = await serverThat(refusal(404, 'unknown_order'), 'silence', recorded);
  await writeFile(
    join(folder, 'a.jsonl'),
    ['1', '2', '3'].map((id) => `${JSON.stringify({ operation: 'reversal', body: `{"order_id":"${id}"}` })}\n`).join(''),
  );
  const { ended, interrupt } = begin(server.url, 'replay', join(folder, 'a.jsonl'));
  await expect.poll(() => server.received.length).toBe(2);
  interrupt();
  const { code, out } = await ended;
  expect([code, out]).toEqual([75, expect.stringContaining('1 accepted, 1 rejected, 1 to send later')]);
  expect(await readFile(join(folder, 'a.left.jsonl'), 'utf8')).toContain('order_id\\":\\"3');
}, 60_000);

test('tail continues after an outage, and ends with an explanation when its key is rejected', async () => {
  const { url, received } = await serverThat(stream, away, refusal(429, 'too_many_requests'), stream, refusal(401, 'wrong_key'));
  const { code, out } = await run(url, 'tail');
  expect([code, out]).toEqual([1, expect.stringContaining('HTTP 401')]);
  expect(received.length).toBe(5);
}, 60_000);

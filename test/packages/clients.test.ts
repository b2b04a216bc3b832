import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';

type Client = { readonly name: string; readonly command: readonly string[]; readonly isInstalled: boolean };
const succeeds = (command: string, ...words: readonly string[]): boolean => spawnSync(command, words).status === 0;
const hasPhp = succeeds('php', '-r', "exit(extension_loaded('curl') && extension_loaded('pdo_sqlite') ? 0 : 1);");
const hasPython = succeeds('python3', '-c', 'import sqlite3, sys; sys.exit(sys.version_info < (3, 9))');
const clients: readonly Client[] = [
  { name: 'Node', command: [execPath, 'test/packages/node-adapter.ts'], isInstalled: true },
  { name: 'Python', command: ['python3', 'packages/python/conformance.py'], isInstalled: hasPython },
  { name: 'PHP', command: ['php', 'packages/php/conformance.php'], isInstalled: hasPhp },
];

type Output = { readonly code: number; readonly lines: string };

function run(command: string, ...words: readonly string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(command, [...words], { timeout: 100_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : Number(error !== null);
      resolve({ code, lines: stdout + stderr });
    });
  });
}
const conformance = (...words: readonly string[]) => run(execPath, 'packages/conformance/run.mjs', ...words);

let merchant: Merchant;
let folder = '';
beforeAll(async () => {
  merchant = await openMerchant();
  folder = await mkdtemp(join(tmpdir(), 'clients-'));
  const { store, link } = merchant.world;
  const url = `${merchant.service.url}${new URL(link.url).pathname}`;
  await writeFile(join(folder, 'world.json'), JSON.stringify({ base_url: merchant.service.url, store, link: { url } }));
});
afterAll(async () => {
  await merchant.service.stop();
  await rm(folder, { recursive: true });
});

describe.each(clients)('the client for $name', ({ name, command, isInstalled }) => {
  if (!isInstalled) process.stdout.write(`${name} with its usual modules is not installed: its client is not tested.\n`);
  test.skipIf(!isInstalled)('passes every conformance vector, also against a running sandbox', async () => {
    const { code, lines } = await conformance('--sandbox', join(folder, 'world.json'), '--', ...command);
    expect(lines).toMatch(/^\d{3} passed, 0 failed$/m);
    expect(code).toBe(0);
  });
});

/** Loaded before the adapter of the Node package: each turns it into a client that makes one mistake. */
const mistakes = {
  'sends other bytes in each attempt':
    "let n = 0; globalThis.fetch = (url, init) => send(url, { ...init, body: init.body + ' '.repeat(n++) });",
  'retries a rejection':
    'globalThis.fetch = async (...call) => { const first = await send(...call); return first.status === 422 ? send(...call) : first; };',
  'follows redirects': "globalThis.fetch = (url, init) => send(url, { ...init, redirect: 'follow' });",
  'puts the key into the URL': "globalThis.fetch = (url, init) => send(url + '?key=' + init.headers.authorization.slice(7), init);",
  'rounds large amounts':
    'const text = JSON.stringify; JSON.stringify = (value) => text(value)?.replace(/9007199254740991/, "9007199254740992");',
};

test.each([
  ['sends other bytes in each attempt', 'the attempts sent different bytes'],
  ['retries a rejection', '422 referral_click_already_converted is final'],
  ['follows redirects', 'redirect is not followed'],
  ['puts the key into the URL', 'an order with the required fields: path is'],
  ['rounds large amounts', 'the largest amount: body is'],
] as const)('the vectors fail a client that %s', async (mistake, failure) => {
  const file = join(folder, 'mistake.mjs');
  await writeFile(file, `const send = globalThis.fetch;\n${mistakes[mistake]}`);
  const { code, lines } = await conformance('--skip-values', '--', execPath, '--import', file, 'test/packages/node-adapter.ts');
  expect(lines).toContain(failure);
  expect(code).toBe(1);
});

test.skipIf(!hasPython)('the queue of the Python client sends every report once and in order, also after a crash', async () => {
  const { code, lines } = await run('python3', '-m', 'unittest', 'discover', '-s', 'packages/python/tests');
  expect(lines).toMatch(/Ran 9 tests[^]*\nOK/);
  expect(code).toBe(0);
});

test.skipIf(!hasPhp)('the queue of the PHP client sends every report once and in order, also after a crash', async () => {
  const url = await serviceForQueue();
  const { code, lines } = await run('php', 'packages/php/tests/queue.php', url);
  expect(lines.match(/^passed: /gm)).toHaveLength(10);
  expect(code).toBe(0);
});

/** The scripted service that the queue's tests in PHP describe. */
async function serviceForQueue(): Promise<string> {
  let received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/reset') received = [];
      if (request.method === 'GET') return void response.end(JSON.stringify(received));
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const id: string = body.refund_id ?? body.order_id ?? body.event_id ?? body.lead_id;
      const line = `${request.url?.split('/').at(-1)} ${id}`;
      const [status, reason] = answerFor(id, { clickId: body.click_id, isFirst: !received.includes(line) });
      received.push(line);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: status === 200, reason }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  return `http://127.0.0.1:${address.port}`;
}

function answerFor(id: string, { clickId, isFirst }: { readonly clickId: unknown; readonly isFirst: boolean }): readonly [number, string] {
  if (clickId === 'rmc_unknown') return [422, 'unknown_referral_click'];
  if (id.startsWith('away') && isFirst) return [503, 'temporarily_unavailable'];
  if (id.startsWith('wrong-key') && isFirst) return [401, 'invalid_postback_key'];
  return id.startsWith('held') ? [500, 'active_hold'] : [200, 'recorded'];
}

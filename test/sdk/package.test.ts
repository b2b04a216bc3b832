import { execFile } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildSdk } from '../../scripts/build-sdk.ts';
import { openMerchant } from '../support/merchant.ts';
import { installPacked } from '../support/npm-package.ts';
import { answeringServer, recorded } from './answering-server.ts';

const run = promisify(execFile);
const sizeMax = 6_000;
let project = '';
let installed = '';

/** The package as npm would publish it, in the folder of a store that installed it. */
beforeAll(async () => {
  await buildSdk();
  project = await installPacked('sdk');
  installed = join(project, 'node_modules', '@tributary', 'node');
});
afterAll(() => rm(project, { recursive: true, force: true }));

const manifest = JSON.parse(await readFile('sdk/package.json', 'utf8'));
const entries = Object.entries<{ readonly import: string; readonly require: string }>(manifest.exports).filter(
  ([entry]) => entry !== './package.json',
);

/** A file and all its imports, as a server loads it. */
async function loadedWith(path: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = await readFile(path, 'utf8');
  for (const [, from = ''] of text.matchAll(/(?:from|require\()\s*['"](\.[^'"]+)['"]/g)) await loadedWith(join(dirname(path), from), seen);
  return seen;
}

test.each(['esm', 'cjs'])('the files that a server loads for the main entry are at most 6 kB with gzip (%s)', async (kind) => {
  const files = await loadedWith(join(installed, 'dist', kind, 'tributary.js'));
  const code = await Promise.all([...files].map((file) => readFile(file, 'utf8')));
  const bytes = gzipSync(code.join('\n')).length;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(sizeMax);
});

test('has no dependencies', () => {
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([]);
});

test('every public module is an entry, and every entry exists', async () => {
  for (const [, { import: esm, require: cjs }] of entries)
    expect([existsSync(join(installed, esm)), existsSync(join(installed, cjs))]).toEqual([true, true]);
  expect(entries.map(([entry]) => entry)).toEqual([
    '.',
    './cents',
    './click',
    './capture',
    './hand-over',
    './queue',
    './file-store',
    './postgres-store',
    './stripe',
    './stripe-promotion-codes',
    './management',
    './api-types',
    './plugin-connection',
    './plugin-reports',
    './plugin-codes',
  ]);
});

test('publint finds no problems', async () => {
  const files = await Promise.all(
    (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { name: `package/${path.slice(installed.length + 1)}`, data: await readFile(path) };
      }),
  );
  const { messages } = await publint({
    pkgDir: 'package',
    pack: { files: files.map(({ name, data }) => ({ name, data: new Uint8Array(data) })) },
  });
  expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
});

const typed = `
import { createTributary } from '@tributary/node';
import { clickFromCookie } from '@tributary/node/click';
import { createManagementClient } from '@tributary/node/management';
const tributary = createTributary({ baseUrl: 'http://localhost', trackingKey: 'trk', postbackKey: 'pbk' });
export const recorded: Promise<{ readonly reason: string }> =
  tributary.conversions.record({ orderId: '1', clickId: 'c', orderSubtotalCents: 5 });
// @ts-expect-error an order without an ID
export const rejected = tributary.conversions.record({ clickId: 'c', orderSubtotalCents: 5 });
export const used = [clickFromCookie, createManagementClient];
`;

test.each([
  ['node16', 'an ES module', 'use.mts'],
  ['node16', 'a CommonJS module', 'use.cts'],
  ['nodenext', 'an ES module', 'use.mts'],
  ['nodenext', 'a CommonJS module', 'use.cts'],
  ['bundler', 'a bundled module', 'use.ts'],
])('the types resolve with %s from %s', async (resolution, _kind, file) => {
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  await writeFile(join(project, file), typed);
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--module',
    module,
    '--moduleResolution',
    resolution,
  ];
  const compiler = resolve('node_modules/.bin/tsc');
  await expect(run(compiler, [...options, file], { cwd: project }).then(() => '', String)).resolves.toBe('');
});

const older = '/usr/bin/node';
const nodes: ReadonlyArray<readonly [string, string]> = [
  ['the Node of the tests', process.execPath],
  ...(existsSync(older) ? [['the Node of the machine', older] as const] : []),
];

test.each(nodes)('both module formats run on %s: an order is sent, and every entry loads', async (_name, node) => {
  const server = await answeringServer(recorded);
  const use = `
    const tributary = createTributary({ baseUrl: '${server.url}', trackingKey: 'trk', postbackKey: 'pbk' });
    tributary.conversions.record({ orderId: '1', clickId: 'c', orderSubtotalCents: 5 }).then(({ reason }) => console.log(reason));`;
  const names = entries.map(([entry]) => `@tributary/node${entry.slice(1)}`);
  const imports = names.map((entry) => `await import('${entry}');`).join('\n');
  await writeFile(join(project, 'esm.mjs'), `import { createTributary } from '@tributary/node';\n${imports}\n${use}`);
  const requires = names.map((entry) => `require('${entry}');`).join('\n');
  await writeFile(join(project, 'cjs.cjs'), `const { createTributary } = require('@tributary/node');\n${requires}\n${use}`);
  try {
    for (const file of ['esm.mjs', 'cjs.cjs']) expect((await run(node, [join(project, file)])).stdout).toBe('recorded\n');
    expect(server.received).toHaveLength(2);
  } finally {
    server.close();
  }
});

/** The variables that the snippets of the README use. */
const around = `
const order = { id: 'readme', clickId: 'rmc_a', subtotalCents: 1005, paidAt: new Date() };
const user = { id: 'user 1', clickId: 'rmc_a', createdAt: new Date() };
const refund = { id: 'refund 1', amountCents: 500, createdAt: new Date() };
const request = { headers: { cookie: '_service_click=rmc_a' } };
const pool = { query: async () => ({ rows: [] }) };
const keep = async () => {};
const app = { use() {}, get() {}, post() {} };
const fastify = { addHook() {} };
const express = { raw() {} };
`;

test('the snippets of the README run as written', async () => {
  const server = await answeringServer(recorded);
  const readme = await readFile('sdk/README.md', 'utf8');
  const snippets = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code);
  expect(snippets.length).toBeGreaterThan(5);
  const end = `console.log(result.reason, clickId, subtotalCents, response.status); await queue.stop();`;
  await writeFile(join(project, 'readme.mjs'), [around, ...snippets, end].join('\n'));
  const keys = {
    TRIBUTARY_TRACKING_KEY: 'trk',
    TRIBUTARY_POSTBACK_KEY: 'pbk',
    STRIPE_WEBHOOK_SECRET: 'whsec',
    STRIPE_RESTRICTED_KEY: 'rk',
  };
  try {
    const { stdout } = await run(process.execPath, [join(project, 'readme.mjs')], { env: { TRIBUTARY_URL: server.url, ...keys } });
    expect(stdout).toBe('recorded rmc_a 1005 200\n');
    const [sale, lead, reversal, refund] = server.received.map(({ body }) => JSON.parse(body));
    expect(sale).toMatchObject({ order_id: 'readme', order_subtotal_cents: 1005 });
    expect(lead).toMatchObject({ lead_id: 'user 1', kind: 'sign_up', click_id: 'rmc_a', customer_id: 'user 1' });
    expect(reversal).toMatchObject({ lead_id: 'user 1', reason: 'spam' });
    expect(refund).toMatchObject({ refund_id: 'refund 1', order_id: 'readme', amount_cents: 500 });
  } finally {
    server.close();
  }
});

test('the management example of the README compiles against the installed package, and runs against the service', async () => {
  const merchant = await openMerchant();
  onTestFinished(() => merchant.service.stop());
  const orders = [await merchant.order(), await merchant.order()];
  for (const order of orders) expect((await merchant.convert(order)).status).toBe(200);
  const { store, program, creator } = merchant.world;
  const readme = await readFile('sdk/README.md', 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const use = `
    const [store, path, creator] = ${JSON.stringify([store.id, { store: store.id, program: program.id }, creator.id])} as const;
    const pending = await listPending(store);
    const approved = await Promise.all(pending.map((commission) => approve(store, commission)));
    const made = await createLink(path, creator, 'https://evil.example/');
    const link = await createLink(path, creator, ${JSON.stringify(store.site_url)});
    console.log(JSON.stringify([approved, String(await sumAmounts(store)), made, link]));`;
  const file = join(project, 'management.mts');
  await writeFile(file, example.replace("'https://partners.example'", JSON.stringify(merchant.service.url)) + use);
  const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', ...types];
  await expect(run(resolve('node_modules/.bin/tsc'), [...options, file], { cwd: project }).then(() => '', String)).resolves.toBe('');
  const { stdout } = await run(process.execPath, [file], { env: { TRIBUTARY_API_KEY: merchant.world.operator_key } });
  const [approved, total, made, link] = JSON.parse(stdout);
  expect([approved, total]).toEqual([[true, true], '2002']);
  expect(made).toEqual(expect.any(String));
  expect(link).toMatchObject({ creator_id: creator.id, destination_url: new URL(store.site_url).href });
});

/** APIs that are newer than Node 18.0, by the names that code would use. */
const tooNew =
  /\b(toSorted|toReversed|toSpliced|\.with\(|isWellFormed|toWellFormed|groupBy|withResolvers|AbortSignal\.any|Promise\.try|getSetCookie|fromAsync|node:sqlite|import\.meta\.dirname|globalThis\.crypto)/;

test('uses nothing that Node 18 lacks, and no syntax newer than ES2022', async () => {
  const found: string[] = [];
  for (const kind of ['esm', 'cjs'])
    for (const file of await readdir(join(installed, 'dist', kind)))
      if (file.endsWith('.js') && tooNew.test(await readFile(join(installed, 'dist', kind, file), 'utf8'))) found.push(`${kind}/${file}`);
  expect(found).toEqual([]);
});

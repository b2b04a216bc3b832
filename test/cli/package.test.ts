import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCli } from '../../scripts/build-cli.ts';
import { installPacked } from '../support/npm-package.ts';

let project = '';
beforeAll(async () => {
  await buildCli();
  project = await installPacked('cli');
});
afterAll(() => rm(project, { recursive: true, force: true }));

type Output = { readonly code: number; readonly stdout: string; readonly stderr: string };

const runBinary = (node: string, args: readonly string[]): Promise<Output> =>
  promisify(execFile)(node, [join(project, 'node_modules', '.bin', 'tributary'), ...args], { cwd: project }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Error & Output) => error,
  );

const older = '/usr/bin/node';
const nodes: ReadonlyArray<readonly [string, string]> = [
  ['the Node of the tests', process.execPath],
  ...(existsSync(older) ? [['the Node of the machine', older] as const] : []),
];

test('contains one program and its license, and depends on nothing', async () => {
  const installed = join(project, 'node_modules', '@tributary', 'cli');
  expect((await readdir(installed, { recursive: true })).toSorted()).toEqual([
    'README.md',
    'dist',
    'dist/LICENSE',
    'dist/tributary.js',
    'package.json',
  ]);
  expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['@tributary']);
});

test.each(nodes)('lints a postback on %s', async (_name, node) => {
  await writeFile(join(project, 'order.json'), '{ "orderId": 1001 }');
  const { code, stdout } = await runBinary(node, ['lint', 'order.json', '--operation', 'conversion']);
  expect(code).toBe(1);
  expect(stdout).toContain('/order_id: order_id is required.');
});

test('names the installation for a command of the operator, and lists only the commands that it has', async () => {
  const seed = await runBinary(process.execPath, ['seed', '--json']);
  expect([seed.code, seed.stderr]).toEqual([
    1,
    'tributary: run `npm run cli -- seed --json` in the folder of the Tributary installation\n',
  ]);
  const { stderr } = await runBinary(process.execPath, []);
  expect(stderr).toContain('reconcile <orders.csv>');
  expect(stderr).not.toContain('create-operator');
});

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { build } from 'vite';
import serviceConfig from '../../src/build/service.config.ts';
import { sources } from '../../src/build/outputs.mjs';
import { freshDatabase } from '../support/database.ts';
import { startArguments } from '../../scripts/start-arguments.ts';
import { childEnvironment, freePort } from '../support/main-process.ts';
import { copyProgram } from '../support/program-copy.ts';
import { testSecretKey } from '../support/service.ts';

/** `npm start` in a copy of the program, whose sources the tests change. It serves no pages, so that no dashboards are built. */
const folder = mkdtempSync(join(tmpdir(), 'tributary-build-'));
const source = join(folder, 'src/app/start.ts');
let databaseUrl = '';
beforeAll(async () => {
  copyProgram(folder);
  const { url, database } = await freshDatabase();
  await database.end();
  databaseUrl = url;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Started = { readonly child: ChildProcess; readonly output: () => string; readonly isReady: Promise<boolean> };

async function start(): Promise<Started> {
  const settings = { DATABASE_URL: databaseUrl, SECRET_KEY: testSecretKey.toString('base64'), PORT: String(await freePort()) };
  const child = spawn(process.execPath, startArguments, {
    cwd: folder,
    env: { ...childEnvironment, ...settings, ROLE: 'jobs', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const isReady = new Promise<boolean>((settle) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        output += bytes.toString('utf8');
        if (output.includes('Tributary is ready')) settle(true);
      });
    child.once('close', () => settle(false));
  });
  return { child, output: () => output, isReady };
}

async function stop({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

async function startAndStop(): Promise<{ readonly isReady: boolean; readonly output: string }> {
  const started = await start();
  const isReady = await started.isReady;
  await stop(started);
  return { isReady, output: started.output() };
}

const buildsOf = (output: string): number => output.split('Service: built in').length - 1;
const outputs = (): readonly string[] => readdirSync(join(folder, 'dist')).toSorted();

test('a start builds the service once after a change of its sources, and runs what was built', async () => {
  const first = await startAndStop();
  expect([first.isReady, buildsOf(first.output)]).toEqual([true, 1]);
  utimesSync(source, 1, 1);
  const second = await startAndStop();
  expect([second.isReady, buildsOf(second.output)]).toEqual([true, 0]);
  appendFileSync(source, `console.log('the changed service');\n`);
  const third = await startAndStop();
  expect([third.isReady, buildsOf(third.output), third.output.includes('the changed service')]).toEqual([true, 1, true]);
  expect(outputs()).toEqual(['service']);
});

test('a source that cannot be built ends the start with its place, and leaves the former output', async () => {
  await startAndStop();
  const [text, built] = [readFileSync(source, 'utf8'), readFileSync(join(folder, 'dist/service/.built-from'), 'utf8')];
  writeFileSync(source, `${text}\nconst = 1;\n`);
  const broken = await startAndStop();
  expect([broken.isReady, buildsOf(broken.output), broken.output.includes('src/app/start.ts')]).toEqual([false, 0, true]);
  expect(outputs()).toEqual(['service']);
  expect(readFileSync(join(folder, 'dist/service/.built-from'), 'utf8')).toBe(built);
  writeFileSync(source, text);
  const repaired = await startAndStop();
  expect([repaired.isReady, buildsOf(repaired.output)]).toEqual([true, 0]);
});

test('processes that start at the same time after a change all start', async () => {
  await startAndStop();
  appendFileSync(source, '// Changed for several processes.\n');
  const started = await Promise.all([start(), start(), start()]);
  expect(await Promise.all(started.map(({ isReady }) => isReady))).toEqual([true, true, true]);
  await Promise.all(started.map(stop));
  expect(outputs()).toEqual(['service']);
});

test('a signal ends a start that builds, and the next start builds again', async () => {
  appendFileSync(source, '// Changed before a signal.\n');
  const started = await start();
  await expect.poll(() => started.output()).toContain('Service: building');
  await expect.poll(() => outputs().some((name) => /^service\.\d/.test(name)) || started.output().includes('built')).toBe(true);
  await stop(started);
  expect([started.child.exitCode, buildsOf(started.output())]).toEqual([0, 0]);
  const next = await startAndStop();
  expect([next.isReady, buildsOf(next.output)]).toEqual([true, 1]);
  expect(outputs()).toEqual(['service']);
});

/** Everything that Vite bundles, with the path of its package in the lock file; null for a source. */
async function bundledFiles(target: string): Promise<ReadonlyArray<{ readonly id: string; readonly inLock: string | null }>> {
  const ids: string[] = [];
  const collector = { name: 'collector', moduleParsed: ({ id }: { readonly id: string }) => void ids.push(id) };
  const plugins = [...serviceConfig.plugins, collector];
  await build({ ...serviceConfig, configFile: false, plugins, logLevel: 'silent', build: { ...serviceConfig.build, outDir: target } });
  return ids
    .filter((id) => id.startsWith('/'))
    .map((id) => ({ id, inLock: /^.*?\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? null }));
}

test('a start notices changes of everything in the bundle, and the bundle names its sources', async () => {
  const target = join(folder, 'bundle');
  const own = (await bundledFiles(target)).filter(({ inLock }) => inLock === null).map(({ id }) => id);
  expect(own.length).toBeGreaterThan(500);
  expect(own.filter((id) => !sources.service.some((name) => id.startsWith(`${resolve(name)}/`)))).toEqual([]);
  const server = readFileSync(join(target, 'server.js'), 'utf8');
  expect(server).toContain('\n// src/orders/');
  // Each other character would make every start slower.
  expect(server).toMatch(/^[\0-\x7f]*$/);
});

test('the bundle holds only packages that every install has, and none that is imported later', async () => {
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const bundled = [...new Set((await bundledFiles(join(folder, 'bundle'))).flatMap(({ inLock }) => inLock ?? []))];
  expect(bundled.length).toBeGreaterThan(20);
  expect(bundled).not.toContain('node_modules/ajv');
  const isInEveryInstall = (path: string): boolean => {
    const { dev = false, optional = false } = lock.packages[path] ?? { dev: true };
    return !dev && !optional;
  };
  expect(bundled.filter((path) => !isInEveryInstall(path))).toEqual([]);
  const later = ['stripe', 'pdfkit', 'fontkit', 'nodemailer', '@zxcvbn-ts/language-common'].map((name) => `node_modules/${name}`);
  expect(bundled.filter((path) => later.includes(path))).toEqual([]);
});
type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>> };

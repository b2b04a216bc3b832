import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { barePlatformOn } from '../support/bare-platform.ts';
import { emptyDatabase, freshDatabase } from '../support/database.ts';
import { childEnvironment } from '../support/main-process.ts';
import { seedWorld } from '../../src/commands/seed/seed.ts';

const folder = await mkdtemp(join(tmpdir(), 'tributary-commands-'));
const { url, database } = await freshDatabase();
await database.end();
const bare = await barePlatformOn(url);
const world = await seedWorld(bare.platform);
afterAll(async () => {
  await bare.close();
  await rm(folder, { recursive: true });
});

/** Each command starts two processes, one after the other, on a busy machine. */
const timeout = 180_000;

const secretKey = randomBytes(32).toString('base64');
type Ran = { readonly code: number; readonly said: string };
const typed = (words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ran> => {
  const given = { ...childEnvironment, DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: join(folder, 'data'), ...environment };
  return promisify(execFile)(process.execPath, ['cli/main.ts', ...words], { env: given }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: unknown) => {
      const fields = Object.fromEntries(Object.entries(error instanceof Error ? error : {}));
      return { code: Number(fields['code']), said: `${String(fields['stdout'])}${String(fields['stderr'])}` };
    },
  );
};

test('a restored backup passes verification on the command line; another key is rejected', { timeout }, async () => {
  const file = join(folder, 'backup');
  const made = await typed(['backup', file]);
  expect([made.code, made.said]).toEqual([0, expect.stringMatching(/^\d+ tables, \d+ rows, [\d.]+ MB, [\d.]+ s/)]);
  const to = await emptyDatabase();
  const other = { DATABASE_URL: to, SECRET_KEY: randomBytes(32).toString('base64') };
  expect(await typed(['restore', file], other)).toMatchObject({ code: 1, said: expect.stringContaining('another secret key') });
  const response = await typed(['restore', file], { DATABASE_URL: to });
  expect([response.code, response.said]).toEqual([0, expect.stringMatching(/^The backup of .*rows[\s\S]*good /)]);
  expect(response.said).not.toContain('WRONG');
  const restored = await barePlatformOn(to);
  expect((await verify(restored.platform)).every(({ differences }) => differences.length === 0)).toBe(true);
  await restored.close();
});

test('doctor reports the state of each component, creates nothing, and returns an exit code for scripts', { timeout }, async () => {
  const well = await typed(['doctor']);
  expect([well.code, well.said]).toEqual([0, expect.stringContaining('good clock')]);
  expect(well.said).toContain('warn books');
  const away = await typed(['doctor'], { DATABASE_URL: 'postgres://127.0.0.1:9/none', SECRET_KEY: '', DATA_DIR: join(folder, 'none') });
  expect([away.code, away.said]).toEqual([1, expect.stringContaining('bad database')]);
  expect(existsSync(join(folder, 'none'))).toBe(false);
  const mail = await typed(['doctor'], { SMTP_URL: 'smtp://127.0.0.1:9' });
  expect([mail.code, mail.said]).toEqual([1, expect.stringContaining('bad mail')]);
});

test('exports and erases the data of a person by email address from the command line', { timeout }, async () => {
  const { email } = world.logins.creator;
  const kept = await typed(['export-person', '--email', email]);
  expect(kept.code, kept.said).toBe(0);
  expect(JSON.parse(kept.said)).toMatchObject({ person: { users: [{ email }] }, creator: { creators: [{ email }] } });
  expect(await typed(['erase-person', '--email', email])).toMatchObject({ code: 0, said: expect.stringContaining('was erased') });
  expect(await typed(['export-person', '--email', email])).toMatchObject({
    code: 1,
    said: expect.stringContaining('no account has this address'),
  });
  expect(await typed(['erase-person'])).toMatchObject({ code: 1, said: expect.stringContaining('name the person') });
  const customer = ['--store', world.store.id, '--customer', 'nobody'];
  expect(await typed(['export-customer', ...customer])).toMatchObject({ code: 0, said: '{"orders":[],"leads":[]}\n' });
  expect(await typed(['erase-customer', ...customer])).toMatchObject({ code: 0, said: expect.stringContaining('in 0 orders') });
});

test('distribute explains why it cannot run on the embedded database or on a server without Citus', { timeout }, async () => {
  expect(await typed(['distribute'])).toMatchObject({ code: 1, said: expect.stringContaining('Citus') });
  expect(await typed(['distribute'], { DATABASE_URL: '' })).toMatchObject({ code: 1, said: expect.stringContaining('one machine') });
});

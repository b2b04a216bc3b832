import { pino } from 'pino';
import { expect, test } from 'vitest';
import { tenantFailures, TenantError } from './tenant-failures.ts';

const silent = pino({ level: 'silent' });
const fails = (message: string) => async () => {
  throw new Error(message);
};

test('work that fails for one tenant is named in the end, and keeps nothing from the others', async () => {
  const failures = tenantFailures(silent, 'The rollups failed');
  const done: string[] = [];
  await failures.run('store_a', fails('the first error'));
  await failures.run('store_b', async () => void done.push('store_b'));
  await failures.run('store_a', fails('a second time'));
  expect(done).toEqual(['store_b']);
  const raised = (() => {
    try {
      failures.raise();
    } catch (error) {
      return error;
    }
  })();
  expect(raised).toBeInstanceOf(TenantError);
  expect(raised).toMatchObject({
    tenants: ['store_a'],
    message: 'The rollups failed: store_a (Error: the first error). The others are done, and what is left is due again at the next run',
  });
  // What the jobs page and the mail show is this message, and no stack.
  expect((raised as Error).stack).toBe((raised as Error).message);
});

test('of many tenants the first five are named, and the others are counted', async () => {
  const failures = tenantFailures(silent, 'It failed');
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await failures.run(name, fails(name));
  expect(failures.raise).toThrow('It failed: a, b, c, d, e and 2 more (Error: a).');
});

test('nothing is raised where nothing failed', async () => {
  const failures = tenantFailures(silent, 'It failed');
  await failures.run('a', async () => {});
  expect(failures.raise).not.toThrow();
});

test.each([
  ['a lost connection', { code: '57P01' }],
  ['a full disk', { code: '53100' }],
])('%s is no error of a tenant: it ends the job at once', async (_what, state) => {
  const failures = tenantFailures(silent, 'It failed');
  const lost = Object.assign(new Error('gone'), state);
  await expect(
    failures.run('store_a', async () => {
      throw lost;
    }),
  ).rejects.toBe(lost);
  expect(failures.raise).not.toThrow();
});

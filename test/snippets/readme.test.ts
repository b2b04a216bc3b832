import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { blocksOf } from '../docs/blocks.ts';
import { expectShown } from '../docs/shell.ts';
import { startTestService, testSecretKey } from '../support/service.ts';

const commandsMsMax = 50_000;

test('the commands of README.md, copied as they stand, track a first order, and the answer is the one that it shows', async () => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const [commands, answer, ...more] = blocksOf('README.md').filter(({ section }) => section === 'A first tracked order');
  invariant(commands?.language === 'sh' && answer?.language === 'json', 'README.md shows commands, and then their answer');
  expect(more).toEqual([]);
  // What `npm start` and the seed beside it have in common by themselves: the database, its key and the address.
  const ours = { DATABASE_URL: service.databaseUrl, SECRET_KEY: testSecretKey.toString('base64'), BASE_URL: service.url };
  const given = { PATH: env['PATH'], HOME: env['HOME'], ...ours };
  const { stdout } = await promisify(execFile)('bash', ['-c', commands.text], { env: given, timeout: commandsMsMax });
  expectShown(stdout, answer);
});

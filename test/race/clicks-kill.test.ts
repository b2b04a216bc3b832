import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { uuidText } from '../../src/platform/ids.ts';
import { createLog } from '../../src/platform/log.ts';
import { must } from '../../src/platform/must.ts';
import { seedWorld } from '../../src/seed.ts';
import { startService } from '../../src/service.ts';
import { freshDatabase } from '../support/database.ts';
import { clickIn } from '../support/merchant.ts';
import { visit } from '../support/visitor-of-links.ts';

const rounds = 3;
const visitorsAtOnce = 48;
const loadMs = 1_500;
/** Nobody is answered before the commit sooner than this after asking. */
const earlyMsLeast = 200;

test('kill -9 of the service under load: every click that was answered after its commit is in the table, with its figure', async () => {
  const { url: databaseUrl, database } = await freshDatabase();
  const secretKey = randomBytes(32);
  const code = await prepare(databaseUrl, secretKey);
  const prompt: string[] = [];
  let late = 0;
  for (let round = 0; round < rounds; round++) {
    const { child, url } = await startMain({ databaseUrl, secretKey });
    const isOver = { now: false };
    const visitors = Array.from({ length: visitorsAtOnce }, async () => {
      while (!isOver.now) {
        const arrived = await visit(url, `/r/${code}`).catch(() => null);
        if (arrived === null || arrived.status !== 302) continue;
        if (arrived.tookMs < earlyMsLeast) prompt.push(uuidOf(clickIn(arrived.location)));
        else late += 1;
      }
    });
    await pause(loadMs);
    child.kill('SIGKILL');
    isOver.now = true;
    await Promise.all(visitors);
  }
  // What was sent for commit in the last moment may still be on its way in the server.
  await pause(500);
  const rows = await database.all<{ clickId: string }>(sql`select click_id from clicks`);
  const kept = new Set(rows.map(({ clickId }) => clickId));
  expect(prompt.length).toBeGreaterThan(visitorsAtOnce * rounds);
  expect(prompt.filter((clickId) => !kept.has(clickId))).toEqual([]);
  expect(kept.size).toBeGreaterThanOrEqual(prompt.length);
  const { figures } = await database.one<{ figures: bigint }>(sql`select sum(count) as figures from link_days where what = 'click'`);
  expect(Number(figures)).toBe(kept.size);
  // A machine that is busy with other things may make some wait that long, but not most.
  expect(late).toBeLessThan(prompt.length);
}, 90_000);

/** The schema, the keys and a link, made by the service itself. */
async function prepare(databaseUrl: string, secretKey: Buffer): Promise<string> {
  const read = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' }, '/');
  must(read.is === 'good', 'the settings of the test are right');
  const log = createLog(read.config.logLevel);
  const service = await startService({ config: read.config, databaseUrl, secretKey, log, webFolder: null });
  const { link } = await seedWorld(service.platform);
  await service.stop();
  return link.code;
}

async function startMain({ databaseUrl, secretKey }: { readonly databaseUrl: string; readonly secretKey: Buffer }) {
  const settings = { PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: databaseUrl, SECRET_KEY: secretKey.toString('base64') };
  // Nothing of our own environment: the test runner leaves settings of the same names there.
  const child: ChildProcess = spawn(process.execPath, ['src/main.ts'], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  must(child.stdout !== null, 'the output is a pipe');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Tributary is ready at (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  throw new Error('the service ended before it was ready');
}

const prefixLength = 4;
const uuidBytes = 16;
const uuidOf = (click: string): string => uuidText(Buffer.from(click.slice(prefixLength), 'base64url').subarray(0, uuidBytes));

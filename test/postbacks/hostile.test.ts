import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { mintClickId } from '../../src/contract/click-id.ts';
import type { OpenApi } from '../../src/http/openapi-document.ts';
import { sql } from '../../src/db/sql.ts';
import { verify } from '../../src/app/verify.ts';
import type { Merchant } from '../support/merchant.ts';
import { merchantOfMain } from '../support/merchant-of-process.ts';
import { talk, type RawAnswer } from '../support/raw-socket.ts';
import { isHard, randomFrom, seed, sizeOf, reportMeasurement } from '../support/size.ts';
import { hostileFrom, type Hostile, type Target } from './hostile-requests.ts';

const count = sizeOf('hostile');
const sendersAtOnce = 16;
/** Of the process, from the second third to the last: what it keeps for each request would show. */
const growthMax = 1.3;
const growthMb = 40;
/**
 * The clock would run the jobs of years, a stream does not end, and a page of documents is none for programs. A store that is
 * closed would answer all that still comes with 403.
 */
const leftOut = /sandbox\/clock|stream$|openapi|\/docs|\/archive$|integration\/disable$/;

test(
  `${count} hostile bodies and bytes: never a 5xx, always JSON with ok and reason, and no memory is kept`,
  async () => {
    const { merchant, main, port } = await merchantOfMain();
    const target = await targetOf(merchant);

    const prng = randomFrom(seed);
    const tally: Record<string, number> = {};
    const errors: string[] = [];
    const memory: number[] = [];
    let sent = 0;
    const sender = async (): Promise<void> => {
      while (sent < count && errors.length < 10) {
        sent += 1;
        if (sent % Math.ceil(count / 60) === 0) memory.push(residentMb(main.pid));
        const hostile = hostileFrom(prng, target);
        const answer = await askOnce(port, hostile);
        const kind = `${hostile.kind} ${answer?.status ?? 'hung up'}`;
        tally[kind] = (tally[kind] ?? 0) + 1;
        const problem = problemWith(hostile, answer);
        if (problem !== null) errors.push(`${problem}: ${hostile.bytes.toString('latin1').slice(0, 700)}`);
      }
    };
    await Promise.all(Array.from({ length: sendersAtOnce }, sender));
    expect(errors).toEqual([]);
    // They came through every gate, not only to the first: each kind of report was taken now and then.
    expect(Object.keys(tally)).toEqual(
      expect.arrayContaining(['postback 200', 'postback 400', 'postback 401', 'postback 422', 'link 302']),
    );
    const taken = sql`select distinct operation from postback_log where store_id = ${merchant.storeId} and status = 200`;
    // Three thousand random requests may contain no valid report of a rare kind; a hundred thousand contain all.
    expect((await merchant.database.all(taken)).length).toBeGreaterThanOrEqual(isHard ? 6 : 4);
    expect((await fetch(`${main.url}/readyz`)).status).toBe(200);
    const third = Math.floor(memory.length / 3);
    const [before, after] = [middleOf(memory.slice(third, 2 * third)), middleOf(memory.slice(2 * third))];
    expect(after, 'no memory is kept').toBeLessThan(before * growthMax + growthMb);
    expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
    reportMeasurement({
      what: 'hostile bodies and bytes',
      measured: `${sent} requests, 0 × 5xx, always JSON with ok and reason; memory ${before} MB in the second third, ${after} MB in the last`,
      limit: '0 × 5xx, memory flat',
    });
  },
  count * 60 + 90_000,
);

async function targetOf(merchant: Merchant): Promise<Target> {
  const { world, service, database } = merchant;
  const ring = await openKeyRing(service.platform);
  onTestFinished(() => ring.close());
  const { linkNumber } = await database.one<{ linkNumber: bigint }>(
    sql`select link_number from link_codes where code = ${world.link.code}`,
  );
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/') && !leftOut.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => [method.toUpperCase(), path] as const));
  return {
    trackingKey: world.store.tracking_key,
    postbackKey: world.store.postback_key,
    operatorKey: world.operator_key,
    linkCode: world.link.code,
    click: () => mintClickId({ kind: 'referral', at: service.platform.clock.now(), linkNumber, keys: ring.keys() }).text,
    operations,
    ids: [world.store.id, world.creator.id, world.program.id, 'store_00000000000000000000000000', 'com_x'],
  };
}

/** One connection for each: what the one sends must not be read as a part of the next. */
async function askOnce(port: number, { bytes }: Hostile): Promise<RawAnswer | null> {
  const talking = await talk(port);
  talking.write(bytes);
  talking.finish();
  let answer = await talking.answer();
  while (answer?.status === 100) answer = await talking.answer();
  talking.close();
  return answer;
}

const expectedReasons = ['active_hold', 'duplicate_event'];

/** Null where it is as it must be. */
function problemWith({ kind }: Hostile, answer: RawAnswer | null): string | null {
  // An incomplete request may have no client left to answer.
  if (answer === null) return kind === 'bytes' ? null : 'no answer';
  const { status, json, text } = answer;
  // The two 5xx that the contract itself answers: a refund of what is held, and an event that was refused before.
  if (status >= 500) return status === 500 && expectedReasons.includes(String(json?.['reason'])) ? null : `${status} ${text}`;
  if (status >= 300 && status < 400) return kind === 'link' ? null : `${status}`;
  if (status < 300 && kind !== 'postback') return null;
  // A link is opened by people: where it leads nowhere they see a page.
  if (kind === 'link' && answer.headers['content-type']?.startsWith('text/html')) return null;
  const hasReason = typeof json?.['reason'] === 'string' && json['ok'] === status < 300;
  return hasReason ? null : `${status} without ok and reason: ${text.slice(0, 200)}`;
}

const kilobytes = 1_024;
const residentMb = (pid: number): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / kilobytes);
const middleOf = (all: readonly number[]): number => [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;

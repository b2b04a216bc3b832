import type { Batch, BatchResult } from '../batch/batch.ts';
import { createBatchPerNode } from '../batch/batch-per-node.ts';
import type { Attempt } from '../batch/attempts.ts';
import { createDeadline } from '../core/deadline.ts';
import { secondMs } from '../core/time.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { Platform } from '../runtime/platform.ts';
import type { ArrivalKind } from '../rollups/rollups-sql.ts';
import { addLinkRollups, linkRollupInserts, type LinkRollup } from '../rollups/rollups-sql.ts';
import { clickInserts, insertMissingClicks, type Click } from './clicks-sql.ts';
import type { Visit } from './decide-visit.ts';
import { errorForLog } from '../db/sql-errors.ts';

/** A click that can earn, or a visit that is only counted. */
export type Arrival = { readonly day: string } & (
  | { readonly what: 'click'; readonly click: Click }
  | { readonly what: Exclude<Visit, 'person'> | 'paused'; readonly link: Pick<Click, 'storeId' | 'linkNumber'> }
);

export type Recorder = {
  /**
   * `committed`: on disk. `held`: the database did not respond by `answerBy` (on the clock of `performance.now()`), and the click is
   * written later. `lost`: too many wait, the process ends, or the database rejects the click.
   */
  readonly record: (arrival: Arrival, answerBy: number) => Promise<RecordEnd>;
  /** For visits whose reply does not wait. */
  readonly count: (arrival: Arrival) => Promise<void>;
  /** Writes the held clicks, if the database responds within the batch's deadline. */
  readonly close: () => Promise<void>;
};

/** Visits in memory: about 1.3 kB each, so that an outage of the database takes at most a quarter of a gigabyte. */
const unwrittenMax = 200_000;
const retryMs = secondMs;
const deadlineMs = 5 * secondMs;
/**
 * A second transaction starts while many clicks wait for the first, so that the process does not idle until it commits. With fewer, two
 * transactions would only be smaller.
 */
const lanes = 2;
const collecting = { itemsMin: 48, msMax: 20 };
const sizeMax = 500;

/** Clicks that arrive while a transaction commits share the next one. */
export function createRecorder(platform: Platform): Recorder {
  const batch = createBatchPerNode<Waiting, 'committed'>(platform.tenants, {
    lanes,
    lanesAlone: 1,
    collecting,
    returning: { share: 0.25, msMax: 5 },
    sizeMax,
    waitingMax: unwrittenMax,
    deadlineMs,
    storeOf: ({ arrival }) => linkOf(arrival).storeId,
    keysOf: () => [],
    runBatch: writeArrivals,
    onAttempt: (report) => {
      platform.metrics.batches.recordAttempt('clicks', report);
      const { failure, error, items } = report;
      if (failure !== null)
        platform.log.warn({ failure, error: errorForLog(error), clicks: items.length }, 'clicks were not written; they are retried');
    },
  });
  platform.metrics.batches.watch('clicks', batch.stats);
  const early = platform.metrics.counter('clicks_early_total', 'Redirects answered before their click was committed', []);
  const lost = platform.metrics.counter(
    'clicks_lost_total',
    'Visits lost because the queue was full, the process ended, or the database rejected them',
    [],
  );
  const retries = createRetries(batch, platform);
  const deadline = createDeadline<Visitor>(({ resolve }) => {
    early.inc();
    resolve('held');
  });
  let unwritten = 0;
  /** Uses a callback, because nearly every click succeeds at the first attempt and needs no promise. */
  const write = (arrival: Arrival, onEnd: (end: RecordEnd) => void): void => {
    const end = (how: 'committed' | 'lost'): void => {
      unwritten -= 1;
      if (how === 'lost') lost.inc();
      onEnd(how);
    };
    unwritten += 1;
    if (unwritten > unwrittenMax) return end('lost');
    batch.putWithCallback({ arrival, isRetry: false }, (first) =>
      first.is === 'answered' ? end('committed') : void retries.retry(arrival, first).then(end),
    );
  };
  return {
    record: (arrival, answerBy) =>
      new Promise((resolve) => {
        const visitor: Visitor = { until: answerBy, resolve, isWaiting: false, before: null, after: null };
        deadline.add(visitor);
        write(arrival, (end) => {
          if (deadline.remove(visitor)) resolve(end);
        });
      }),
    count: (arrival) => new Promise((resolve) => write(arrival, () => resolve())),
    close: retries.close,
  };
}

/** A visit that waits for its commit, as an entry of the deadline's list. */
type Visitor = {
  readonly resolve: (end: RecordEnd) => void;
  readonly until: number;
  isWaiting: boolean;
  before: Visitor | null;
  after: Visitor | null;
};

export type RecordEnd = 'committed' | 'held' | 'lost';

/** Retries failed writes as long as the process runs, so that an outage of the database loses no click. */
function createRetries(batch: Batch<Waiting, 'committed'>, platform: Platform) {
  let held = 0;
  let nextRound = Promise.withResolvers<void>();
  const rounds = setInterval(startRound, retryMs).unref();
  platform.metrics.gauge('clicks_held', 'Clicks in memory that wait for the database', () => held);

  function startRound(): void {
    nextRound.resolve();
    nextRound = Promise.withResolvers<void>();
  }
  return {
    async retry(arrival: Arrival, first: BatchResult<'committed'>): Promise<'committed' | 'lost'> {
      for (let end = first; end.is !== 'answered'; end = await batch.put({ arrival, isRetry: true })) {
        // The database would reject the same content again.
        const isRejected = end.is === 'unavailable' && end.why === 'guilty item';
        if (end.is === 'closed' || isRejected) return 'lost';
        held += 1;
        await nextRound.promise;
        held -= 1;
      }
      return 'committed';
    },
    async close(): Promise<void> {
      clearInterval(rounds);
      startRound();
      // Waits one turn of the event loop, so that held clicks enter the batch before it closes.
      await new Promise(setImmediate);
      await batch.close();
      startRound();
    },
  };
}

/** `isRetry`: an earlier attempt may have committed. */
type Waiting = { readonly arrival: Arrival; readonly isRetry: boolean };

/** Writes clicks and rollups in one round trip, with the commit. */
async function writeArrivals(database: Database, waiting: readonly Waiting[], attempt: Attempt): Promise<readonly 'committed'[]> {
  const arrivals = waiting.map(({ arrival }) => arrival);
  const clicks = arrivals.filter((arrival) => arrival.what === 'click').map(({ click }) => click);
  const writeRetry = async (tx: Transaction) => {
    const [fresh] = await Promise.all([insertMissingClicks(tx, clicks), addLinkRollups(tx, sumByLink(arrivals, 1))]);
    // Subtracts the clicks that an earlier attempt committed.
    const writtenBefore = arrivals.filter((arrival) => arrival.what === 'click' && !fresh.has(arrival.click.clickId));
    await addLinkRollups(tx, sumByLink(writtenBefore, -1));
  };
  if (waiting.some(({ isRetry }) => isRetry)) await database.transaction(writeRetry, attempt.commitSent);
  else await database.writeTogether([...clickInserts(clicks), ...linkRollupInserts(sumByLink(arrivals, 1))], attempt.commitSent);
  return waiting.map(() => 'committed');
}

/** Groups by link number, which is unique over stores. A text key of all four columns took as long as encoding the clicks. */
function sumByLink(arrivals: readonly Arrival[], each: 1 | -1): readonly LinkRollup[] {
  const sums = new Map<bigint, Sum[]>();
  for (const arrival of arrivals) {
    const { day, what } = arrival;
    const { linkNumber, storeId } = linkOf(arrival);
    const ofLink = sums.get(linkNumber) ?? [];
    if (ofLink.length === 0) sums.set(linkNumber, ofLink);
    const sum = ofLink.find((one) => one.what === what && one.day === day);
    if (sum) sum.count += each;
    else ofLink.push({ storeId, linkNumber, day, what, count: each });
  }
  return [...sums.values()].flat().map((sum) => ({ ...sum, count: BigInt(sum.count), eligibleCents: 0n, commissionCents: 0n }));
}

/** A kind of visit without an arrival kind does not compile. */
type Sum = Pick<LinkRollup, 'storeId' | 'linkNumber' | 'day'> & { readonly what: ArrivalKind; count: number };

const linkOf = (arrival: Arrival) => (arrival.what === 'click' ? arrival.click : arrival.link);

import { createBatch, type Batch } from '../platform/batch.ts';
import type { Attempt } from '../platform/batch-attempts.ts';
import { secondMs } from '../platform/time.ts';
import type { Platform } from '../platform/platform.ts';
import { addToLinkDays, insertClicks, type Click, type LinkDay } from './sql.ts';
import type { Visit } from './decide-visit.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';

/** What happened on a link: a click that can earn, or an arrival that is only counted. */
export type Arrival = { readonly day: string } & (
  | { readonly what: 'click'; readonly click: Click }
  | { readonly what: Exclude<Visit, 'person'> | 'paused'; readonly link: Pick<Click, 'storeId' | 'linkNumber'> }
);

export type Recorder = {
  /**
   * `committed`: on disk. `held`: the database did not answer by then (on the clock of `performance.now()`); it is written
   * when it does. `lost`: memory is full, the process ends, or the database refuses it.
   */
  readonly record: (arrival: Arrival, answerBy: number) => Promise<'committed' | 'held' | 'lost'>;
  /** For what nobody waits for. */
  readonly count: (arrival: Arrival) => Promise<void>;
  /** Writes what is held, as far as the database answers within the batch's deadline. */
  readonly close: () => Promise<void>;
};

const heldMax = 200_000;
const againMs = secondMs;
const deadlineMs = 5 * secondMs;
const lanes = 2;
const sizeMax = 500;

/** Clicks go through a batch: those that arrive while one transaction commits share the next. */
export function createRecorder(platform: Platform): Recorder {
  const batch = createBatch<Arrival, 'committed'>({
    lanes,
    lanesAlone: 1,
    sizeMax,
    waitingMax: heldMax,
    deadlineMs,
    groupOf: (arrival) => linkOf(arrival).storeId,
    keysOf: () => [],
    carryOut: (arrivals, attempt) => carryOut(platform, arrivals, attempt),
    tried: ({ failure, error, items }) => {
      if (failure !== null)
        platform.log.warn({ failure, error: toldInLog(error), clicks: items.length }, 'clicks were not written; they are tried again');
    },
  });
  const early = platform.metrics.counter('clicks_early_total', 'Redirects answered before their click was committed', []);
  const lost = platform.metrics.counter(
    'clicks_lost_total',
    'Arrivals given up because memory was full, the process ended, or the database refused them',
    [],
  );
  const patient = insisting(batch, platform);
  const write = async (arrival: Arrival) => {
    const end = await patient.write(arrival);
    if (end === 'lost') lost.inc();
    return end;
  };
  return {
    async record(arrival, answerBy) {
      const end = await Promise.race([write(arrival), heldAt(answerBy)]);
      if (end === 'held') early.inc();
      return end;
    },
    async count(arrival) {
      await write(arrival);
    },
    close: patient.close,
  };
}

const heldAt = (answerBy: number) =>
  new Promise<'held'>((resolve) => setTimeout(() => resolve('held'), Math.max(0, answerBy - performance.now())).unref());

/** What the batch could not write is tried again for as long as the process lives: the database's absence gives up no click. */
function insisting(batch: Batch<Arrival, 'committed'>, platform: Platform) {
  let held = 0;
  let nextRound = Promise.withResolvers<void>();
  const rounds = setInterval(startRound, againMs).unref();
  platform.metrics.gauge('clicks_held', 'Clicks that wait in memory for the database', () => held);

  function startRound(): void {
    nextRound.resolve();
    nextRound = Promise.withResolvers<void>();
  }
  return {
    async write(arrival: Arrival): Promise<'committed' | 'lost'> {
      for (;;) {
        const end = await batch.put(arrival);
        if (end.is === 'answered') return 'committed';
        // What the database refuses for what it says would be refused for ever.
        const isRefused = end.is === 'unavailable' && end.why === 'guilty item';
        if (end.is === 'closed' || isRefused || held >= heldMax) return 'lost';
        held += 1;
        await nextRound.promise;
        held -= 1;
      }
    },
    async close(): Promise<void> {
      clearInterval(rounds);
      startRound();
      // One turn, so that what was held is in the batch before it takes no more.
      await new Promise(setImmediate);
      await batch.close();
      startRound();
    },
  };
}

/**
 * Clicks and figures travel together, in one round trip. A click that was written before (its commit got through, the answer
 * got lost) is found when both are done, and its figure is taken back.
 */
async function carryOut(platform: Platform, arrivals: readonly Arrival[], attempt: Attempt): Promise<readonly 'committed'[]> {
  const clicks = arrivals.flatMap((arrival) => (arrival.what === 'click' ? [arrival.click] : []));
  await platform.database.transaction(async (tx) => {
    const [fresh] = await Promise.all([insertClicks(tx, clicks), addToLinkDays(tx, summed(arrivals, 1n))]);
    if (fresh.size === clicks.length) return;
    const writtenBefore = arrivals.filter((arrival) => arrival.what === 'click' && !fresh.has(arrival.click.clickId));
    await addToLinkDays(tx, summed(writtenBefore, -1n));
  }, attempt.commitSent);
  return arrivals.map(() => 'committed');
}

function summed(arrivals: readonly Arrival[], each: 1n | -1n): readonly LinkDay[] {
  const sums = new Map<string, LinkDay>();
  for (const arrival of arrivals) {
    const { storeId, linkNumber } = linkOf(arrival);
    const key = `${storeId} ${linkNumber} ${arrival.day} ${arrival.what}`;
    const count = (sums.get(key)?.count ?? 0n) + each;
    sums.set(key, { storeId, linkNumber, day: arrival.day, what: arrival.what, count });
  }
  return [...sums.values()];
}

const linkOf = (arrival: Arrival) => (arrival.what === 'click' ? arrival.click : arrival.link);

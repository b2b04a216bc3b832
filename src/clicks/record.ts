import { createBatch, type Batch } from '../platform/batch.ts';
import type { Attempt } from '../platform/batch-attempts.ts';
import { secondMs } from '../platform/time.ts';
import type { Platform } from '../platform/platform.ts';
import { addLinkFigures, type LinkFigure } from '../figures/sql.ts';
import { insertClicks, insertClicksAgain, type Click } from './sql.ts';
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
  readonly record: (arrival: Arrival, answerBy: number) => Promise<End>;
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
  const batch = createBatch<Waiting, 'committed'>({
    lanes,
    lanesAlone: 1,
    sizeMax,
    waitingMax: heldMax,
    deadlineMs,
    groupOf: ({ arrival }) => linkOf(arrival).storeId,
    keysOf: () => [],
    carryOut: (waiting, attempt) => carryOut(platform, waiting, attempt),
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
  const inTime = createPatience();
  const write = async (arrival: Arrival) => {
    const end = await patient.write(arrival);
    if (end === 'lost') lost.inc();
    return end;
  };
  return {
    async record(arrival, answerBy) {
      const end = await inTime(write(arrival), answerBy);
      if (end === 'held') early.inc();
      return end;
    },
    async count(arrival) {
      await write(arrival);
    },
    close: patient.close,
  };
}

type End = 'committed' | 'held' | 'lost';

/**
 * What ends in time says how; what does not is held. One timer watches the first of all who wait, because all are given the
 * same time: no timer for each.
 */
function createPatience(): (end: Promise<End>, answerBy: number) => Promise<End> {
  const waiting = new Set<{ readonly answerBy: number; readonly resolve: (end: End) => void }>();
  let isWatched = false;

  function watch(answerBy: number): void {
    isWatched = true;
    setTimeout(letGo, Math.max(1, Math.ceil(answerBy - performance.now()))).unref();
  }
  function letGo(): void {
    isWatched = false;
    const now = performance.now();
    for (const one of waiting) {
      if (one.answerBy > now) return watch(one.answerBy);
      waiting.delete(one);
      one.resolve('held');
    }
  }
  return (end, answerBy) =>
    new Promise((resolve) => {
      const one = { answerBy, resolve };
      waiting.add(one);
      if (!isWatched) watch(answerBy);
      const answer = async () => {
        const is = await end;
        waiting.delete(one);
        resolve(is);
      };
      void answer();
    });
}

/** What the batch could not write is tried again for as long as the process lives: the database's absence gives up no click. */
function insisting(batch: Batch<Waiting, 'committed'>, platform: Platform) {
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
      for (let isAgain = false; ; isAgain = true) {
        const end = await batch.put({ arrival, isAgain });
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

/** An arrival in the batch, and whether it was there before: then its commit may have got through. */
type Waiting = { readonly arrival: Arrival; readonly isAgain: boolean };

/** Clicks and figures travel together, in one round trip. */
async function carryOut(platform: Platform, waiting: readonly Waiting[], attempt: Attempt): Promise<readonly 'committed'[]> {
  const arrivals = waiting.map(({ arrival }) => arrival);
  const clicks = arrivals.flatMap((arrival) => (arrival.what === 'click' ? [arrival.click] : []));
  const isAgain = waiting.some((one) => one.isAgain);
  await platform.database.transaction(async (tx) => {
    const figures = addLinkFigures(tx, summed(arrivals, 1n));
    if (!isAgain) return Promise.all([insertClicks(tx, clicks), figures]);
    const [fresh] = await Promise.all([insertClicksAgain(tx, clicks), figures]);
    // A click that was written before is found when both are done, and its figure is taken back.
    const writtenBefore = arrivals.filter((arrival) => arrival.what === 'click' && !fresh.has(arrival.click.clickId));
    return addLinkFigures(tx, summed(writtenBefore, -1n));
  }, attempt.commitSent);
  return waiting.map(() => 'committed');
}

function summed(arrivals: readonly Arrival[], each: 1n | -1n): readonly LinkFigure[] {
  const sums = new Map<string, LinkFigure>();
  for (const arrival of arrivals) {
    const { storeId, linkNumber } = linkOf(arrival);
    const key = `${storeId} ${linkNumber} ${arrival.day} ${arrival.what}`;
    const count = (sums.get(key)?.count ?? 0n) + each;
    sums.set(key, { storeId, linkNumber, day: arrival.day, what: arrival.what, count, eligibleCents: 0n, commissionCents: 0n });
  }
  return [...sums.values()];
}

const linkOf = (arrival: Arrival) => (arrival.what === 'click' ? arrival.click : arrival.link);

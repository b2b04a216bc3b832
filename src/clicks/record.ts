import { createBatch, type Batch, type BatchEnd } from '../platform/batch.ts';
import type { Attempt } from '../platform/batch-attempts.ts';
import { createPatience } from '../platform/patience.ts';
import { secondMs } from '../platform/time.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { ArrivalKind } from '../figures/arrivals.ts';
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
  readonly record: (arrival: Arrival, answerBy: number) => Promise<RecordEnd>;
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
    apart: () => platform.database.layout.isDistributed,
    keysOf: () => [],
    carryOut: (waiting, attempt) => carryOut(platform, waiting, attempt),
    tried: (tried) => {
      platform.metrics.batches.tried('clicks', tried);
      const { failure, error, items } = tried;
      if (failure !== null)
        platform.log.warn({ failure, error: toldInLog(error), clicks: items.length }, 'clicks were not written; they are tried again');
    },
  });
  platform.metrics.batches.watch('clicks', batch.figures);
  const early = platform.metrics.counter('clicks_early_total', 'Redirects answered before their click was committed', []);
  const lost = platform.metrics.counter(
    'clicks_lost_total',
    'Arrivals given up because memory was full, the process ended, or the database refused them',
    [],
  );
  const insisting = createInsistence(batch, platform);
  const patience = createPatience<Visitor>(({ resolve }) => {
    early.inc();
    resolve('held');
  });
  /** Nearly always its first time in the batch is its last: no promise is made for it. */
  const write = (arrival: Arrival, told: (end: RecordEnd) => void): void =>
    batch.enter({ arrival, isAgain: false }, (first) =>
      first.is === 'answered' ? told('committed') : void writeAgain(arrival, first, told),
    );
  const writeAgain = async (arrival: Arrival, first: BatchEnd<'committed'>, told: (end: RecordEnd) => void): Promise<void> => {
    const end = await insisting.again(arrival, first);
    if (end === 'lost') lost.inc();
    told(end);
  };
  return {
    record: (arrival, answerBy) =>
      new Promise((resolve) => {
        const visitor: Visitor = { until: answerBy, resolve, isWaiting: false, before: null, after: null };
        patience.add(visitor);
        write(arrival, (end) => {
          if (patience.leave(visitor)) resolve(end);
        });
      }),
    count: (arrival) => new Promise((resolve) => write(arrival, () => resolve())),
    close: insisting.close,
  };
}

/** One who waits for an answer, as `patience.ts` has it. */
type Visitor = {
  readonly resolve: (end: RecordEnd) => void;
  readonly until: number;
  isWaiting: boolean;
  before: Visitor | null;
  after: Visitor | null;
};

export type RecordEnd = 'committed' | 'held' | 'lost';

/** What the batch could not write is tried again for as long as the process lives: the database's absence gives up no click. */
function createInsistence(batch: Batch<Waiting, 'committed'>, platform: Platform) {
  let held = 0;
  let nextRound = Promise.withResolvers<void>();
  const rounds = setInterval(startRound, againMs).unref();
  platform.metrics.gauge('clicks_held', 'Clicks that wait in memory for the database', () => held);

  function startRound(): void {
    nextRound.resolve();
    nextRound = Promise.withResolvers<void>();
  }
  return {
    async again(arrival: Arrival, first: BatchEnd<'committed'>): Promise<'committed' | 'lost'> {
      for (let end = first; end.is !== 'answered'; end = await batch.put({ arrival, isAgain: true })) {
        // What the database refuses for what it says would be refused for ever.
        const isRefused = end.is === 'unavailable' && end.why === 'guilty item';
        if (end.is === 'closed' || isRefused || held >= heldMax) return 'lost';
        held += 1;
        await nextRound.promise;
        held -= 1;
      }
      return 'committed';
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

/** Clicks, figures and their commit travel together. */
async function carryOut(platform: Platform, waiting: readonly Waiting[], attempt: Attempt): Promise<readonly 'committed'[]> {
  const arrivals = waiting.map(({ arrival }) => arrival);
  const clicks = arrivals.filter((arrival) => arrival.what === 'click').map(({ click }) => click);
  const write = (tx: Transaction) => Promise.all([insertClicks(tx, clicks), addLinkFigures(tx, summed(arrivals, 1))]);
  const writeAgain = async (tx: Transaction) => {
    const [fresh] = await Promise.all([insertClicksAgain(tx, clicks), addLinkFigures(tx, summed(arrivals, 1))]);
    // A click that was written before is found when both are done, and its figure is taken back.
    const writtenBefore = arrivals.filter((arrival) => arrival.what === 'click' && !fresh.has(arrival.click.clickId));
    await addLinkFigures(tx, summed(writtenBefore, -1));
  };
  if (waiting.some(({ isAgain }) => isAgain)) await platform.database.transaction(writeAgain, attempt.commitSent);
  else await platform.database.writeInOneGo(write, attempt.commitSent);
  return waiting.map(() => 'committed');
}

/** By the links' numbers, of which no two stores share one: a key of all four, as text, took as long as encoding the clicks. */
function summed(arrivals: readonly Arrival[], each: 1 | -1): readonly LinkFigure[] {
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

/** Its kind is one of those named as arrivals: a kind of visit that is not named there does not compile here. */
type Sum = Pick<LinkFigure, 'storeId' | 'linkNumber' | 'day'> & { readonly what: ArrivalKind; count: number };

const linkOf = (arrival: Arrival) => (arrival.what === 'click' ? arrival.click : arrival.link);

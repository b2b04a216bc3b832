import { setTimeout as pause } from 'node:timers/promises';
import type { Place } from './batch-queue.ts';
import { kindOfFailure, type FailureKind } from './database/sql-errors.ts';
import { must, never } from './must.ts';

/**
 * One transaction for these items: load, decide, write, commit. It answers in the items' order, and only after its
 * commit; whatever it throws before `commitSent` must have been rolled back. It must end by itself (time-outs of the
 * database): nothing here can end it, and until then its lane and its keys stay taken.
 */
export type CarryOut<Item, Answer> = (items: readonly Item[], attempt: Attempt) => Promise<ReadonlyArray<Answer | typeof leaveBatch>>;

export type Attempt = {
  /** How long it may wait for another's row. 0: not at all (`nowait`); more only for an item that is tried alone. */
  readonly lockWaitMs: number;
  /** On the clock of `performance.now()`: the latest deadline among the items. After it nobody hears the answer. */
  readonly deadlineAt: number;
  /** Called as the last thing before COMMIT is sent. From then on a failure leaves the outcome open, and nothing is run again. */
  readonly commitSent: () => void;
};

/** The answer for an item whose row is taken: the transaction did nothing for it. It leaves the batch and is tried alone. */
export const leaveBatch = Symbol('leave the batch');

/** Thrown where somebody else was first (fewer rows than sent came back): rolled back, loaded and decided again. */
export class Superseded extends Error {}

export type AttemptFailure = FailureKind | 'superseded' | 'outcome unknown';

export type AttemptEnd<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'unavailable'; readonly why: AttemptFailure | 'deadline' };

/** For logs and metrics. Where an attempt of one item fails with `guilty item`, that is the guilty one: a mistake of ours. */
export type Tried<Item> = {
  readonly items: readonly Item[];
  readonly tookMs: number;
  readonly failure: AttemptFailure | null;
  readonly error: unknown;
};

/** What an attempt may do with its items, and whom it asks. */
export type Hands<Item, Answer> = {
  readonly carryOut: CarryOut<Item, Answer>;
  readonly finish: (place: Place<Item>, end: AttemptEnd<Answer>) => void;
  readonly waitAlone: (place: Place<Item>) => void;
  readonly tried: (tried: Tried<Item>) => void;
  /** How long to wait before a lost connection is followed by another. */
  readonly lostPauseMs: number;
};

export const triesMax = 3;
const pauseMsMax = 20;
/** Twice this is waited, then it is given up: shorter than a sender waits before it comes again. */
export const lostPauseMs = 250;
export const lockWaitMsMax = 1_000;

/**
 * Carries items that are under way to their ends. What failed for a passing reason is run again; what goes on failing,
 * or has a guilty item in it, is run one by one, so that only the guilty one fails.
 */
export async function carryThrough<Item, Answer>(places: Places<Item>, waitsForLocks: boolean, hands: Hands<Item, Answer>): Promise<void> {
  let left = places;
  for (let tries = 1; tries <= triesMax; tries += 1) {
    left = inTime(left, hands);
    if (left.length === 0) return;
    const failure = await attempt(left, waitsForLocks, hands);
    if (failure === null) return;
    const next = nextStep(failure, { isSingle: left.length === 1, isLastTry: tries === triesMax, waitsForLocks });
    switch (next) {
      case 'again at once':
        break;
      case 'again after a pause':
        await pause(Math.random() * pauseMsMax);
        break;
      case 'again on another connection':
        await pause(hands.lostPauseMs);
        break;
      case 'one by one':
        for (const place of left) await carryThrough([place], waitsForLocks, hands);
        return;
      case 'wait alone':
        return left.forEach(hands.waitAlone);
      case 'give up':
        return left.forEach((place) => hands.finish(place, { is: 'unavailable', why: failure }));
      default:
        never(next);
    }
  }
  must(false, 'the last try ends in something else than another try');
}

type Places<Item> = ReadonlyArray<Place<Item>>;
type Next = 'again at once' | 'again after a pause' | 'again on another connection' | 'one by one' | 'wait alone' | 'give up';
type Circumstances = { readonly isSingle: boolean; readonly isLastTry: boolean; readonly waitsForLocks: boolean };

/** The whole law of a failed attempt. */
export function nextStep(failure: AttemptFailure, { isSingle, isLastTry, waitsForLocks }: Circumstances): Next {
  if (failure === 'outcome unknown') return 'give up';
  if (failure === 'unavailable') return 'give up';
  // Nothing was committed, and a restart or a failover is soon over; what takes longer is the sender's to try again.
  if (failure === 'connection lost') return isLastTry ? 'give up' : 'again on another connection';
  if (failure === 'guilty item') return isSingle ? 'give up' : 'one by one';
  if (failure === 'row taken' && isSingle) return waitsForLocks ? 'give up' : 'wait alone';
  if (isLastTry) return isSingle ? 'give up' : 'one by one';
  // The other's commit is there to be read, so there is nothing to wait for; two that met at a lock must not meet again.
  return failure === 'superseded' ? 'again at once' : 'again after a pause';
}

/** Whose deadline has passed is not begun again, and its keys are free. */
function inTime<Item, Answer>(places: Places<Item>, { finish }: Hands<Item, Answer>): Places<Item> {
  const now = performance.now();
  return places.filter((place) => {
    if (place.deadlineAt > now) return true;
    finish(place, { is: 'unavailable', why: 'deadline' });
    return false;
  });
}

/** One transaction. Null where it committed: then every item has its answer, or waits to be tried alone. */
async function attempt<Item, Answer>(
  places: Places<Item>,
  waitsForLocks: boolean,
  hands: Hands<Item, Answer>,
): Promise<AttemptFailure | null> {
  const items = places.map((place) => place.item);
  const startedAt = performance.now();
  const deadlineAt = places.reduce((latest, place) => Math.max(latest, place.deadlineAt), 0);
  // At least 1, because to the database a time-out of 0 is none at all.
  const lockWaitMs = waitsForLocks ? Math.max(1, Math.min(lockWaitMsMax, Math.floor(deadlineAt - startedAt))) : 0;
  const outcome = await outcomeOf(items, { lockWaitMs, deadlineAt }, hands.carryOut);
  const tookMs = performance.now() - startedAt;
  if (outcome.is === 'failed') {
    hands.tried({ items, tookMs, failure: outcome.failure, error: outcome.error });
    return outcome.failure;
  }
  for (const [index, answer] of outcome.answers.entries()) {
    const place = places[index];
    must(place, 'there are as many answers as items');
    if (answer !== leaveBatch) hands.finish(place, { is: 'answered', answer });
    else if (waitsForLocks) hands.finish(place, { is: 'unavailable', why: 'row taken' });
    else hands.waitAlone(place);
  }
  hands.tried({ items, tookMs, failure: null, error: undefined });
  return null;
}

type Outcome<Answer> =
  | { readonly is: 'committed'; readonly answers: ReadonlyArray<Answer | typeof leaveBatch> }
  | { readonly is: 'failed'; readonly failure: AttemptFailure; readonly error: unknown };

async function outcomeOf<Item, Answer>(
  items: readonly Item[],
  limits: Pick<Attempt, 'lockWaitMs' | 'deadlineAt'>,
  carryOut: CarryOut<Item, Answer>,
): Promise<Outcome<Answer>> {
  let isCommitSent = false;
  try {
    const answers = await carryOut(items, { ...limits, commitSent: () => void (isCommitSent = true) });
    must(answers.length === items.length, 'carrying out answers each of its items');
    return { is: 'committed', answers };
  } catch (error) {
    return { is: 'failed', failure: isCommitSent ? 'outcome unknown' : failureOf(error), error };
  }
}

const failureOf = (error: unknown): AttemptFailure => (error instanceof Superseded ? 'superseded' : kindOfFailure(error));

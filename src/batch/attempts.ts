import { setTimeout as pause } from 'node:timers/promises';
import type { QueueEntry } from './queue.ts';
import { classifyFailure, type FailureKind } from '../db/sql-errors.ts';
import { invariant, never } from '../core/invariant.ts';

/**
 * Runs one transaction for these items: load, decide, write, commit. Returns the answers in the items' order, after the commit; if
 * it throws before `commitSent`, it must have rolled back. It must end within the database's timeouts: it cannot be aborted, and
 * until it ends its lane and keys stay occupied.
 */
export type RunBatch<Item, Answer> = (items: readonly Item[], attempt: Attempt) => Promise<ReadonlyArray<Answer | typeof rowLocked>>;

export type Attempt = {
  /** How long to wait for locked rows. 0: not at all (`nowait`); more only for an item that is retried alone. */
  readonly lockWaitMs: number;
  /** The latest deadline among the items, on the clock of `performance.now()`. A later answer is discarded. */
  readonly deadlineAt: number;
  /** Called right before COMMIT is sent. A later failure leaves the outcome unknown, and nothing is retried. */
  readonly commitSent: () => void;
};

/** The answer for an item whose row is locked: the transaction did nothing for it. The item leaves the batch and is retried alone. */
export const rowLocked = Symbol('row locked');

/** Thrown after a rollback if another process was first (fewer rows were inserted than sent): the batch loads and decides again. */
export class Superseded extends Error {}

export type AttemptFailure = FailureKind | 'superseded' | 'outcome unknown';

export type AttemptResult<Answer> =
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'unavailable'; readonly why: AttemptFailure | 'deadline' };

/** For logs and metrics. A single item that fails with `guilty item` is a bug of ours. */
export type AttemptReport<Item> = {
  readonly items: readonly Item[];
  readonly tookMs: number;
  readonly failure: AttemptFailure | null;
  readonly error: unknown;
};

/** What an attempt needs to run its items and report about them. */
export type AttemptHandlers<Item, Answer> = {
  readonly runBatch: RunBatch<Item, Answer>;
  readonly finish: (entry: QueueEntry<Item>, end: AttemptResult<Answer>) => void;
  readonly retryAlone: (entry: QueueEntry<Item>) => void;
  readonly onAttempt: (report: AttemptReport<Item>) => void;
  /** The pause after a lost connection. */
  readonly lostPauseMs: number;
};

export const triesMax = 3;
const pauseMsMax = 20;
/** Used twice before the batch gives up: shorter than a sender's own retry interval. */
export const lostPauseMs = 250;
export const lockWaitMsMax = 1_000;

/**
 * Runs items until each has a result. Transient failures are retried for the whole batch; persistent failures and invalid items are
 * isolated by running the items one by one.
 */
export async function runWithRetries<Item, Answer>(
  entries: Entries<Item>,
  waitsForLocks: boolean,
  handlers: AttemptHandlers<Item, Answer>,
): Promise<void> {
  let left = entries;
  for (let tries = 1; tries <= triesMax; tries += 1) {
    left = dropExpired(left, handlers);
    if (left.length === 0) return;
    const failure = await attempt(left, waitsForLocks, handlers);
    if (failure === null) return;
    const next = nextStep(failure, { isSingle: left.length === 1, isLastTry: tries === triesMax, waitsForLocks });
    switch (next) {
      case 'retry now':
        break;
      case 'retry after pause':
        await pause(Math.random() * pauseMsMax);
        break;
      case 'retry on new connection':
        await pause(handlers.lostPauseMs);
        break;
      case 'one by one':
        for (const entry of left) await runWithRetries([entry], waitsForLocks, handlers);
        return;
      case 'retry alone':
        return left.forEach(handlers.retryAlone);
      case 'give up':
        return left.forEach((entry) => handlers.finish(entry, { is: 'unavailable', why: failure }));
      default:
        never(next);
    }
  }
  invariant(false, 'the last attempt is not followed by a retry');
}

type Entries<Item> = ReadonlyArray<QueueEntry<Item>>;
type Next = 'retry now' | 'retry after pause' | 'retry on new connection' | 'one by one' | 'retry alone' | 'give up';
type AttemptState = { readonly isSingle: boolean; readonly isLastTry: boolean; readonly waitsForLocks: boolean };

/** Decides what follows a failed attempt. */
export function nextStep(failure: AttemptFailure, { isSingle, isLastTry, waitsForLocks }: AttemptState): Next {
  if (failure === 'outcome unknown') return 'give up';
  if (failure === 'unavailable') return 'give up';
  // Nothing was committed, and a restart or a failover is usually short; after that the sender retries.
  if (failure === 'connection lost') return isLastTry ? 'give up' : 'retry on new connection';
  if (failure === 'guilty item') return isSingle ? 'give up' : 'one by one';
  if (failure === 'row taken' && isSingle) return waitsForLocks ? 'give up' : 'retry alone';
  if (isLastTry) return isSingle ? 'give up' : 'one by one';
  // The other process has committed, so a retry needs no pause; after a deadlock, a random pause keeps the two from meeting again.
  return failure === 'superseded' ? 'retry now' : 'retry after pause';
}

/** Finishes items whose deadline has passed, which frees their keys, and returns the others. */
function dropExpired<Item, Answer>(entries: Entries<Item>, { finish }: AttemptHandlers<Item, Answer>): Entries<Item> {
  const now = performance.now();
  return entries.filter((entry) => {
    if (entry.deadlineAt > now) return true;
    finish(entry, { is: 'unavailable', why: 'deadline' });
    return false;
  });
}

/** Runs one transaction. Null if it committed: every item then has its answer or is retried alone. */
async function attempt<Item, Answer>(
  entries: Entries<Item>,
  waitsForLocks: boolean,
  handlers: AttemptHandlers<Item, Answer>,
): Promise<AttemptFailure | null> {
  const items = entries.map((entry) => entry.item);
  const startedAt = performance.now();
  const deadlineAt = entries.reduce((latest, entry) => Math.max(latest, entry.deadlineAt), 0);
  // At least 1, because a lock_timeout of 0 means no timeout.
  const lockWaitMs = waitsForLocks ? Math.max(1, Math.min(lockWaitMsMax, Math.floor(deadlineAt - startedAt))) : 0;
  const outcome = await runTransaction(items, { lockWaitMs, deadlineAt }, handlers.runBatch);
  const tookMs = performance.now() - startedAt;
  if (outcome.is === 'failed') {
    handlers.onAttempt({ items, tookMs, failure: outcome.failure, error: outcome.error });
    return outcome.failure;
  }
  for (const [index, answer] of outcome.answers.entries()) {
    const entry = entries[index];
    invariant(entry, 'there are as many answers as items');
    if (answer !== rowLocked) handlers.finish(entry, { is: 'answered', answer });
    else if (waitsForLocks) handlers.finish(entry, { is: 'unavailable', why: 'row taken' });
    else handlers.retryAlone(entry);
  }
  handlers.onAttempt({ items, tookMs, failure: null, error: undefined });
  return null;
}

type Outcome<Answer> =
  | { readonly is: 'committed'; readonly answers: ReadonlyArray<Answer | typeof rowLocked> }
  | { readonly is: 'failed'; readonly failure: AttemptFailure; readonly error: unknown };

async function runTransaction<Item, Answer>(
  items: readonly Item[],
  limits: Pick<Attempt, 'lockWaitMs' | 'deadlineAt'>,
  runBatch: RunBatch<Item, Answer>,
): Promise<Outcome<Answer>> {
  let isCommitSent = false;
  try {
    const answers = await runBatch(items, { ...limits, commitSent: () => void (isCommitSent = true) });
    invariant(answers.length === items.length, 'a batch function answers each of its items');
    return { is: 'committed', answers };
  } catch (error) {
    return { is: 'failed', failure: isCommitSent ? 'outcome unknown' : failureOf(error), error };
  }
}

const failureOf = (error: unknown): AttemptFailure => (error instanceof Superseded ? 'superseded' : classifyFailure(error));

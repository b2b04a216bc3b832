/** Batches of small orders for the tests of src/batch/batch.ts, processed by small real functions without a database. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, RunBatch, AttemptReport } from '../../src/batch/attempts.ts';
import { createBatch, type BatchResult, type BatchOptions } from '../../src/batch/batch.ts';

export type Order = { readonly id: string; readonly store: string; readonly keys: readonly string[] };
export type RunOrders = RunBatch<Order, string>;

/** An item `store.key.number` belongs to that store and has that key; without a key it has a unique one. */
export function order(id: string): Order {
  const [store = '', key = ''] = id.split('.');
  return { id, store, keys: [key === '' ? id : key] };
}

/** A batch of orders with generous limits, whose results are reported as text. */
export function open(runBatch: RunOrders, limits: Partial<BatchOptions<Order, string>> = {}) {
  const attempts: Array<AttemptReport<Order>> = [];
  const batch = createBatch<Order, string>({
    lanes: 1,
    lanesAlone: 1,
    sizeMax: 10,
    waitingMax: 1_000,
    deadlineMs: 5_000,
    lostPauseMs: 1,
    groupOf: ({ store }) => store,
    keysOf: ({ keys }) => keys,
    onAttempt: (report) => attempts.push(report),
    runBatch: runBatch,
    ...limits,
  });
  const put = (id: string) => batch.put(order(id)).then(resultText);
  const attemptLog = () => attempts.map(({ items, failure }) => `${items.map(({ id }) => id).join(' ')}: ${failure ?? 'committed'}`);
  return { ...batch, putOrder: batch.put, put, putAll: (ids: readonly string[]) => Promise.all(ids.map(put)), attempts, attemptLog };
}

export function resultText(end: BatchResult<string>): string {
  if (end.is === 'answered') return end.answer;
  return end.is === 'unavailable' ? `unavailable: ${end.why}` : end.is;
}

/** How late a timer may fire on a machine that runs other processes. */
export const lateMsMax = 10_000;
export const empty = { waiting: 0, running: 0, groups: 0, keys: 0, unanswered: 0 };
export const named = (prefix: string, count: number) => Array.from({ length: count }, (_none, index) => `${prefix}..${index}`);
export const failed = (code: string) => Object.assign(new Error('from the database'), { code });
export const answers = (items: readonly Order[]) => items.map(({ id }) => `done ${id}`);
export const commit: RunOrders = async (items, attempt) => {
  attempt.commitSent();
  return answers(items);
};

/** Transactions that stay open until the test lets them commit. */
export function gate() {
  const started: Array<{
    readonly ids: readonly string[];
    readonly attempt: Attempt;
    readonly commit: () => void;
    readonly fail: (error: unknown) => void;
  }> = [];
  const runBatch: RunOrders = (items, attempt) =>
    new Promise((resolve, reject) => {
      started.push({ ids: items.map(({ id }) => id), attempt, commit: () => resolve(answers(items)), fail: reject });
    });
  const next = async () => {
    for (let turns = 0; turns < 1_000 && started.length === 0; turns += 1) await pause(1);
    const transaction = started.shift();
    if (!transaction) throw new Error('no transaction was started');
    return transaction;
  };
  return { runBatch, next, startedCount: () => started.length };
}

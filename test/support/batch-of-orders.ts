/** Batches of small orders for the tests of src/platform/batch.ts: carried out by real little functions, without a database. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, CarryOut, Tried } from '../../src/platform/batch-attempts.ts';
import { createBatch, type BatchEnd, type BatchOptions } from '../../src/platform/batch.ts';

export type Order = { readonly id: string; readonly store: string; readonly keys: readonly string[] };
export type Carry = CarryOut<Order, string>;

/** An item `store.key.number` is of that store and has that key; without a key it has one of its own. */
export function order(id: string): Order {
  const [store = '', key = ''] = id.split('.');
  return { id, store, keys: [key === '' ? id : key] };
}

/** A batch of orders with roomy limits, whose ends are told in words. */
export function open(carryOut: Carry, limits: Partial<BatchOptions<Order, string>> = {}) {
  const attempts: Array<Tried<Order>> = [];
  const batch = createBatch<Order, string>({
    lanes: 1,
    lanesAlone: 1,
    sizeMax: 10,
    waitingMax: 1_000,
    deadlineMs: 5_000,
    lostPauseMs: 1,
    groupOf: ({ store }) => store,
    keysOf: ({ keys }) => keys,
    tried: (tried) => attempts.push(tried),
    carryOut,
    ...limits,
  });
  const put = (id: string) => batch.put(order(id)).then(inWords);
  const tried = () => attempts.map(({ items, failure }) => `${items.map(({ id }) => id).join(' ')}: ${failure ?? 'committed'}`);
  return { ...batch, putOrder: batch.put, put, putAll: (ids: readonly string[]) => Promise.all(ids.map(put)), attempts, tried };
}

export function inWords(end: BatchEnd<string>): string {
  if (end.is === 'answered') return end.answer;
  return end.is === 'unavailable' ? `unavailable: ${end.why}` : end.is;
}

/** How late a timer may be on a machine that others use at the same time. */
export const lateMsMax = 10_000;
export const empty = { waiting: 0, underWay: 0, groups: 0, keys: 0, unanswered: 0 };
export const named = (prefix: string, count: number) => Array.from({ length: count }, (_none, index) => `${prefix}..${index}`);
export const failed = (code: string) => Object.assign(new Error('from the database'), { code });
export const answers = (items: readonly Order[]) => items.map(({ id }) => `done ${id}`);
export const commit: Carry = async (items, attempt) => {
  attempt.commitSent();
  return answers(items);
};

/** Transactions that stay open until the test lets them commit. */
export function gate() {
  const begun: Array<{
    readonly ids: readonly string[];
    readonly attempt: Attempt;
    readonly commit: () => void;
    readonly fail: (error: unknown) => void;
  }> = [];
  const carryOut: Carry = (items, attempt) =>
    new Promise((resolve, reject) => {
      begun.push({ ids: items.map(({ id }) => id), attempt, commit: () => resolve(answers(items)), fail: reject });
    });
  const next = async () => {
    for (let turns = 0; turns < 1_000 && begun.length === 0; turns += 1) await pause(1);
    const transaction = begun.shift();
    if (!transaction) throw new Error('no transaction was begun');
    return transaction;
  };
  return { carryOut, next, begunCount: () => begun.length };
}

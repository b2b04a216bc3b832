import { decideQueued } from './decide-queued.ts';
import { reportsTo, type Operation, type Postback, type Reports, type Unsendable } from './reports.ts';
import type { Result } from './send.ts';

/** A report that waits. `id` is made of its order or event: the same one waits once. */
export type Queued = Postback & {
  readonly id: string;
  /** What is sent in the order in which it was added: an order and its refund, a subscription and its invoices. */
  readonly lane: string;
  readonly failures: number;
};

/** Where reports wait. Each of its promises is kept before anything else goes on: what was added survives a crash. */
export type QueueStore = {
  /** False where one with this id waits already; that one stays as it is. */
  readonly add: (queued: Queued, dueAt: Date) => Promise<boolean>;
  /** What is due, first come first; of a lane only the first. Nobody else gets it until `leaseMs` later. */
  readonly take: (asked: { readonly now: Date; readonly leaseMs: number; readonly most: number }) => Promise<readonly Queued[]>;
  readonly remove: (queued: Queued) => Promise<void>;
  /** `lane: null`: from now on nothing waits for it. */
  readonly postpone: (queued: Queued, to: { readonly dueAt: Date; readonly lane: string | null }) => Promise<void>;
  /** Kept apart for a person to look at, with the answer. */
  readonly refuse: (queued: Queued, answer: { readonly at: Date; readonly reason: string; readonly message: string }) => Promise<void>;
};

export type Added =
  | { readonly is: 'added' }
  /** One about the same order or event waits already, and stands. */
  | { readonly is: 'waits_already' }
  /** It was wrong, or carries no click: it will never be sent. */
  | ({ readonly is: 'not_sent' } & Unsendable);

export type QueueOptions = {
  readonly tributary: { readonly send: (postback: Postback) => Promise<Result> };
  readonly store: QueueStore;
  /** Told of each answer, after the store was. */
  readonly onResult?: ((result: Result) => void) | undefined;
  /** The store could not be reached, or a listener threw. The queue goes on. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type Queue = Reports<Added> & {
  readonly add: (postback: Postback) => Promise<Added>;
  /** Sends what is due, once. Gives how many were tried. */
  readonly work: () => Promise<number>;
  /** Works on and on. */
  readonly start: () => void;
  /** Ends once what is under way has ended. */
  readonly stop: () => Promise<void>;
};

const restMs = 1_000;
const leaseMs = 120_000;
const atOnceMax = 8;

/** Reports that survive a crash of your server and an outage of the service: added in a moment, sent in the background. */
export function createQueue({ tributary, store, onResult, onError }: QueueOptions): Queue {
  const add = async (postback: Postback): Promise<Added> => {
    const { id, lane } = namesOf(postback);
    const isNew = await store.add({ ...postback, id, lane, failures: 0 }, new Date());
    return { is: isNew ? 'added' : 'waits_already' };
  };
  const sendOne = async (queued: Queued): Promise<void> => {
    const result = await tributary.send({ operation: queued.operation, body: queued.body });
    const now = new Date();
    const next = decideQueued(queued, result);
    if (next.is === 'settled') await store.remove(queued);
    if (next.is === 'refused') await store.refuse(queued, { at: now, reason: result.reason, message: result.message });
    if (next.is === 'waits')
      await store.postpone(queued, { dueAt: new Date(now.getTime() + next.ms), lane: next.holdsLane ? queued.lane : null });
    onResult?.(result);
  };
  const work = async (): Promise<number> => {
    const due = await store.take({ now: new Date(), leaseMs, most: atOnceMax });
    await Promise.all(due.map((queued) => sendOne(queued).catch((error: unknown) => onError?.(error))));
    return due.length;
  };
  const hand = async (report: Postback | Unsendable): Promise<Added> => ('body' in report ? add(report) : { is: 'not_sent', ...report });
  // What waits may be received much later than it happened, so it always says when that was.
  return Object.freeze({ ...reportsTo(hand, { isTimed: true }), add, work, ...turning(work, onError) });
}

function turning(work: () => Promise<number>, onError: QueueOptions['onError']): Pick<Queue, 'start' | 'stop'> {
  let turn: Promise<void> | null = null;
  let wake: (() => void) | null = null;
  const state = { isStopped: false };
  const turns = async () => {
    while (!state.isStopped) {
      const tried = await work().catch((error: unknown) => {
        onError?.(error);
        return 0;
      });
      if (tried > 0 || state.isStopped) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        // A queue that rests keeps no process alive.
        setTimeout(resolve, restMs).unref();
      });
    }
  };
  return {
    start() {
      state.isStopped = false;
      turn ??= turns();
    },
    async stop() {
      state.isStopped = true;
      wake?.();
      await turn;
      turn = null;
    },
  };
}

const keyFields: Readonly<Record<Operation, readonly [id: string, lane: string]>> = {
  conversion: ['order_id', 'order_id'],
  reversal: ['order_id', 'order_id'],
  relationship: ['event_id', 'relationship_id'],
  billing_event: ['event_id', 'relationship_id'],
  invoice_reversal: ['event_id', 'relationship_id'],
  relationship_end: ['event_id', 'relationship_id'],
};

function namesOf({ operation, body }: Postback): { readonly id: string; readonly lane: string } {
  const json: unknown = JSON.parse(body);
  const valueOf = (name: string): string => {
    const value = typeof json === 'object' && json !== null ? Object.entries(json).find(([field]) => field === name)?.[1] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const [id, lane] = keyFields[operation];
  return { id: `${operation} ${valueOf(id)}`, lane: `${lane} ${valueOf(lane)}` };
}

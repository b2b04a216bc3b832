import { decideQueued } from './decide-queued.ts';
import { reportsTo, type Operation, type Postback, type Reports, type Unsendable } from './reports.ts';
import type { Result } from './send.ts';

/** A queued report. `id` is derived from its order or event: the same one is queued once. */
export type Queued = Postback & {
  readonly id: string;
  /** Reports in one lane are sent in the order in which they were added: an order and its refund, a subscription and its invoices. */
  readonly lane: string;
  readonly failures: number;
};

/** Where reports are stored. Each promise resolves only after the write is durable: an added report survives a crash. */
export type QueueStore = {
  /** False if a report with this ID is already queued; that one stays unchanged. */
  readonly add: (queued: Queued, dueAt: Date) => Promise<boolean>;
  /** Due reports, oldest first; of a lane only the first. No other process gets them until `leaseMs` later. */
  readonly take: (limits: { readonly now: Date; readonly leaseMs: number; readonly most: number }) => Promise<readonly Queued[]>;
  readonly remove: (queued: Queued) => Promise<void>;
  /** `lane: null`: from now on no other report waits for it. */
  readonly postpone: (queued: Queued, to: { readonly dueAt: Date; readonly lane: string | null }) => Promise<void>;
  /** Sets the report aside for inspection, with the response. */
  readonly refuse: (queued: Queued, answer: { readonly at: Date; readonly reason: string; readonly message: string }) => Promise<void>;
};

export type Added =
  | { readonly is: 'added' }
  /** A report about the same order or event is already queued, and remains. */
  | { readonly is: 'waits_already' }
  /** The report is invalid or carries no click: it will never be sent. */
  | ({ readonly is: 'not_sent' } & Unsendable);

export type QueueOptions = {
  readonly tributary: { readonly send: (postback: Postback) => Promise<Result> };
  readonly store: QueueStore;
  /** Called with each result, after the store was updated. */
  readonly onResult?: ((result: Result) => void) | undefined;
  /** The store failed, or a listener threw. The queue continues. */
  readonly onError?: ((error: unknown) => void) | undefined;
};

export type Queue = Reports<Added> & {
  readonly add: (postback: Postback) => Promise<Added>;
  /** Sends the due reports once. Returns how many were tried. */
  readonly work: () => Promise<number>;
  /** Works continuously. */
  readonly start: () => void;
  /** Resolves once the requests in progress have ended. */
  readonly stop: () => Promise<void>;
};

const restMs = 1_000;
const leaseMs = 120_000;
const atOnceMax = 8;

/** Reports that survive a crash of your server and an outage of the service: added immediately, sent in the background. */
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
  // A queued report may be received much later than its event, so it always contains the time.
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
        // An idle queue does not keep the process alive.
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
  order_refund: ['refund_id', 'order_id'],
  relationship: ['event_id', 'relationship_id'],
  billing_event: ['event_id', 'relationship_id'],
  invoice_reversal: ['event_id', 'relationship_id'],
  invoice_refund: ['refund_id', 'relationship_id'],
  relationship_end: ['event_id', 'relationship_id'],
  lead: ['lead_id', 'lead_id'],
  lead_reversal: ['lead_id', 'lead_id'],
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

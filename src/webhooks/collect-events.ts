import { deleteEvents, enableStoreEvents, listPendingEvents, type StoreEvent } from '../notify/store-events-sql.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import { realNow, secondMs, type Clock } from '../core/time.ts';
import { listensToFrom, type WebhookEndpoint } from './webhook-endpoint.ts';
import { listEnabledEndpoints } from './endpoints-sql.ts';
import { renderEventBodies } from './event-body.ts';
import { insertEvents, lockCollectedUpTo, saveCollectedUpTo, type CollectedUpTo } from './events-sql.ts';
import {
  listNewCommissions,
  listNewReversals,
  listInvoiceChanges,
  listTrackingTurnedOn,
  type FoundEvent,
  type EventQuery,
  type Wanted,
} from './collect-events-sql.ts';

/** Per kind and transaction. The next poll, a few seconds later, takes the rest. */
const eventsPerPollMax = 1_000;
/** Longer than any postback transaction, and than the clock difference of two machines. */
const latestCommitMs = 60 * secondMs;
const clockSkewMs = 10 * secondMs;

type NewEvent = Omit<StoreEvent, 'eventId'>;

/**
 * Creates the events of a store since the last poll, for the endpoints that subscribe to them.
 *
 * New commissions and reversals are found by the time in their ID. IDs are not in commit order, so each poll starts far enough back that
 * everything older was committed before the previous poll: the time of a poll becomes the start only after a minute.
 */
export function collectEvents(database: Database, clock: Clock, storeId: Id<'store'>, now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    const mark = await lockCollectedUpTo(tx, storeId);
    if (mark === null) return;
    const endpoints = await listEnabledEndpoints(tx, storeId);
    // Read before the queries, so that rows committed meanwhile are younger.
    const lookedAt = clock.now();
    const waiting = await listPendingEvents(tx, storeId, eventsPerPollMax);
    const found = await pollFor(tx, { storeId, mark, endpoints });
    const events: readonly StoreEvent[] = [...waiting, ...found.map((event) => ({ ...event, eventId: newId<'msg'>(now) }))];
    const wanted = events.flatMap((event) => {
      const endpointIds = endpoints.filter((endpoint) => wants(endpoint, event)).map(({ endpointId }) => endpointId);
      return endpointIds.length === 0 ? [] : [{ ...event, endpointIds }];
    });
    const bodies = await renderEventBodies(tx, storeId, wanted);
    await insertEvents(
      tx,
      { storeId, tryAt: now },
      wanted.map((event, place) => ({ ...event, body: bodies[place] ?? '' })),
    );
    await deleteEvents(
      tx,
      storeId,
      waiting.map(({ eventId }) => eventId),
    );
    const isAll = found.length < eventsPerPollMax;
    if (isAll && now.getTime() - mark.notedAt.getTime() >= latestCommitMs)
      await saveCollectedUpTo(tx, storeId, { readFrom: mark.nextFrom, nextFrom: minusSkew(lookedAt), notedAt: now });
  });
}

const minusSkew = (time: Date): Date => new Date(time.getTime() - clockSkewMs);

/** Starts at the current time if no endpoint was enabled before. */
export async function startCollecting(db: Queryable, storeId: Id<'store'>, at: Date): Promise<void> {
  if (await enableStoreEvents(db, storeId))
    await saveCollectedUpTo(db, storeId, { readFrom: minusSkew(at), nextFrom: minusSkew(at), notedAt: realNow() });
}

function wants(endpoint: WebhookEndpoint, { type, at }: Pick<StoreEvent, 'type' | 'at'>): boolean {
  const from = listensToFrom(endpoint, type);
  return from !== null && at >= from;
}

type EventPoll = { readonly storeId: Id<'store'>; readonly mark: CollectedUpTo; readonly endpoints: readonly WebhookEndpoint[] };

/** Finds only subscribed types, so that others do not fill the next poll. */
async function pollFor(tx: Transaction, { storeId, mark, endpoints }: EventPoll): Promise<readonly NewEvent[]> {
  const found: FoundEvent[] = [];
  for (const [kind, look] of polls) {
    const wanted = wantedOf(endpoints, kind);
    if (wanted.length === 0) continue;
    const since = new Date(Math.min(...wanted.map((one) => one.since.getTime())));
    found.push(...(await look(tx, { storeId, since, wanted, readFrom: mark.readFrom, limit: eventsPerPollMax })));
  }
  return found.map((one) => ({ ...one, detail: {} }));
}

/** The subscribed types of a kind, each with the time of its first subscription. */
function wantedOf(endpoints: readonly WebhookEndpoint[], kind: string): readonly Wanted[] {
  const since = new Map<string, Date>();
  for (const endpoint of endpoints)
    for (const type of endpoint.events.filter((one) => one.startsWith(kind))) {
      const [from, known] = [listensToFrom(endpoint, type), since.get(type)];
      if (from !== null && (known === undefined || from < known)) since.set(type, from);
    }
  return [...since].map(([type, from]) => ({ type, since: from }));
}

const polls: ReadonlyArray<readonly [string, (tx: Transaction, looking: EventQuery) => Promise<FoundEvent[]>]> = [
  ['commission.recorded', listNewCommissions],
  ['commission.reversed', listNewReversals],
  ['invoice.', listInvoiceChanges],
  ['tracking.on', listTrackingTurnedOn],
];

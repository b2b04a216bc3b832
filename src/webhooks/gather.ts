import { dropEvents, listenTo, waitingEvents, type StoreEvent } from '../notify/events-sql.ts';
import type { Database, Queryable, Transaction } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import { realNow, secondMs, type Clock } from '../platform/time.ts';
import { listensToFrom, type WebhookEndpoint } from './endpoint.ts';
import { endpointsAtWork } from './endpoints-sql.ts';
import { bodiesOf } from './event-body.ts';
import { keepEvents, lockMark, setMark, type Mark } from './events-sql.ts';
import { newCommissions, newReversals, newsOfInvoices, trackingTurnedOn, type Found, type Looking, type Wanted } from './found-sql.ts';

/** Of each kind, in one transaction. What is left is taken at the next look, a few seconds later. */
const eventsPerLookMax = 1_000;
/** No report of an order is longer under way than a few seconds; nor do the clocks of two machines differ by so much. */
const latestCommitMs = 60 * secondMs;
const clockSkewMs = 10 * secondMs;

type Told = Omit<StoreEvent, 'eventId'>;

/**
 * Makes events of what happened in a store since the last look, for the endpoints that want them.
 *
 * What is told in its own transaction waits in a table. New commissions and refunds are looked for instead, by the time in their
 * id. That time is not the order in which they are committed, so each look begins at a moment that lies so far back that whatever
 * is older was committed before the look before this one: what is noted at one look becomes the beginning only after a minute.
 */
export function gatherEvents(database: Database, clock: Clock, storeId: Id<'store'>, now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    const mark = await lockMark(tx, storeId);
    if (mark === null) return;
    const endpoints = await endpointsAtWork(tx, storeId);
    // Read before anything is looked for: what is committed meanwhile is younger.
    const lookedAt = clock.now();
    const waiting = await waitingEvents(tx, storeId, eventsPerLookMax);
    const found = await lookFor(tx, { storeId, mark, endpoints });
    const events: readonly StoreEvent[] = [...waiting, ...found.map((told) => ({ ...told, eventId: newId<'msg'>(now) }))];
    const wanted = events.flatMap((event) => {
      const endpointIds = endpoints.filter((endpoint) => wants(endpoint, event)).map(({ endpointId }) => endpointId);
      return endpointIds.length === 0 ? [] : [{ ...event, endpointIds }];
    });
    const bodies = await bodiesOf(tx, storeId, wanted);
    await keepEvents(
      tx,
      { storeId, tryAt: now },
      wanted.map((event, place) => ({ ...event, body: bodies[place] ?? '' })),
    );
    await dropEvents(
      tx,
      storeId,
      waiting.map(({ eventId }) => eventId),
    );
    const isAll = found.length < eventsPerLookMax;
    if (isAll && now.getTime() - mark.notedAt.getTime() >= latestCommitMs)
      await setMark(tx, storeId, { readFrom: mark.nextFrom, nextFrom: minusSkew(lookedAt), notedAt: now });
  });
}

const minusSkew = (time: Date): Date => new Date(time.getTime() - clockSkewMs);

/** From now on, where nobody listened before. */
export async function beginListening(db: Queryable, storeId: Id<'store'>, at: Date): Promise<void> {
  if (await listenTo(db, storeId)) await setMark(db, storeId, { readFrom: minusSkew(at), nextFrom: minusSkew(at), notedAt: realNow() });
}

function wants(endpoint: WebhookEndpoint, { type, at }: Pick<StoreEvent, 'type' | 'at'>): boolean {
  const from = listensToFrom(endpoint, type);
  return from !== null && at >= from;
}

type Look = { readonly storeId: Id<'store'>; readonly mark: Mark; readonly endpoints: readonly WebhookEndpoint[] };

/** Only what somebody wants, so that what nobody wants does not stand in the way at the next look. */
async function lookFor(tx: Transaction, { storeId, mark, endpoints }: Look): Promise<readonly Told[]> {
  const found: Found[] = [];
  for (const [kind, look] of looks) {
    const wanted = wantedOf(endpoints, kind);
    if (wanted.length === 0) continue;
    const since = new Date(Math.min(...wanted.map((one) => one.since.getTime())));
    found.push(...(await look(tx, { storeId, since, wanted, readFrom: mark.readFrom, limit: eventsPerLookMax })));
  }
  return found.map((one) => ({ ...one, detail: {} }));
}

/** The types of a kind that somebody listens to, each since the first of them does. */
function wantedOf(endpoints: readonly WebhookEndpoint[], kind: string): readonly Wanted[] {
  const since = new Map<string, Date>();
  for (const endpoint of endpoints)
    for (const type of endpoint.events.filter((one) => one.startsWith(kind))) {
      const [from, known] = [listensToFrom(endpoint, type), since.get(type)];
      if (from !== null && (known === undefined || from < known)) since.set(type, from);
    }
  return [...since].map(([type, from]) => ({ type, since: from }));
}

const looks: ReadonlyArray<readonly [string, (tx: Transaction, looking: Looking) => Promise<Found[]>]> = [
  ['commission.recorded', newCommissions],
  ['commission.reversed', newReversals],
  ['invoice.', newsOfInvoices],
  ['tracking.on', trackingTurnedOn],
];

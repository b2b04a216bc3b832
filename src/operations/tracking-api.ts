import { Type as T } from 'typebox';
import { isReason, reasons, reasonRow } from '../contract/reasons.ts';
import { allStores } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { lastPage } from '../http/page.ts';
import { firstIdAt, publicId } from '../core/ids.ts';
import { dayMs, plusDays } from '../core/time.ts';
import { listUnauthenticatedByDay, listLastPostbacks, countRejected } from './tracking-sql.ts';
import { listEndpoint } from '../people/list-endpoint.ts';

const access = { allow: 'operator' } as const;
/** Larger counts are not worth the time of counting them. */
const countMax = 1_000;
const rejectionReasons = Object.keys(reasons)
  .filter(isReason)
  .filter((reason) => reasonRow(reason).status !== 200);

export const trackingOfStores = listEndpoint({
  summary: 'List the tracking health of all stores: the last postback of each, and the rejected ones in a day',
  access,
  item: namedObject('StoreTracking', {
    store_id: T.String(),
    name: T.String(),
    tracking_on: T.Boolean(),
    last: orNull(T.Object({ at: T.String(), reason: T.String(), accepted: T.Boolean() })),
    refused: T.Integer({ description: `In the last 24 hours; each reason is counted up to ${countMax}` }),
  }),
  rows: ({ db }, page) => allStores(db, page),
  async renderer({ db, now }, stores) {
    const ids = stores.map(({ storeId }) => storeId);
    const last = new Map((await listLastPostbacks(db, ids)).map((line) => [line.storeId, line]));
    const since = firstIdAt(new Date(now.getTime() - dayMs));
    const counts = await countRejected(db, ids, { reasons: rejectionReasons, fromId: since, most: countMax });
    const refused = new Map(counts.map(({ storeId, count }) => [storeId, count]));
    return ({ storeId, name, trackingOnAt }) => {
      const line = last.get(storeId);
      return {
        store_id: publicId('store', storeId),
        name,
        tracking_on: trackingOnAt !== null,
        last: line === undefined ? null : { at: isoTime(line.at), reason: line.reason, accepted: line.status === 200 },
        refused: Number(refused.get(storeId) ?? 0n),
      };
    };
  },
  key: ({ storeId }) => [storeId],
});

const unauthenticatedDays = 14;

export const unauthenticatedRequests = endpoint({
  summary: 'Count the postbacks that were rejected before authentication, by day and reason',
  access,
  reply: namedObject('UnauthenticatedRequests', {
    from: T.String({ description: 'The first day, in UTC' }),
    data: T.Array(T.Object({ day: T.String(), reason: T.String(), means: T.String(), count: T.Integer() })),
    next_cursor: lastPage,
  }),
  async handle({ db, now }) {
    const from = plusDays(now, 1 - unauthenticatedDays)
      .toISOString()
      .slice(0, 10);
    const data = (await listUnauthenticatedByDay(db, from)).map(({ day, reason, count }) => ({
      day,
      reason,
      means: reasonRow(reason).means,
      count: Number(count),
    }));
    return { from, data, next_cursor: null };
  },
});

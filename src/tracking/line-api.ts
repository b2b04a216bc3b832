import { Type as T } from 'typebox';
import { isReason, reasons, rowOf } from '../contract/reasons.ts';
import { endpoint } from '../people/endpoint.ts';
import { notFound } from '../platform/http/answers.ts';
import { isoTime } from '../platform/http/fields.ts';
import { lastPage } from '../platform/http/page.ts';
import { firstIdAt } from '../platform/ids.ts';
import { plusDays } from '../platform/time.ts';
import { lineJson, showLine } from './log-api.ts';
import { countsByReason, findLine } from './sql.ts';

const access = { who: 'store', permission: 'store:read' } as const;

export const getTrackingLogLine = endpoint({
  summary: 'One postback with its answer and why',
  access,
  ids: { postback: 'post' },
  reply: lineJson,
  async handle({ db, ids }) {
    const line = await findLine(db, { storeId: ids.store, postbackId: ids.postback });
    return line === null ? notFound : showLine(line);
  },
});

const daysMax = 90;
const daysUsual = 7;
/** Nobody reads the last digit of more than this. */
const countedMax = 10_000;
const known = Object.keys(reasons).filter(isReason);

export const countTrackingLog = endpoint({
  summary: 'How many postbacks of the last days were answered with which reason, the most frequent first',
  access,
  query: T.Object(
    { days: T.Optional(T.Integer({ minimum: 1, maximum: daysMax, description: `${daysUsual} where it is not given` })) },
    { additionalProperties: false },
  ),
  reply: T.Object({
    from: T.String(),
    data: T.Array(
      T.Object({
        reason: T.String(),
        means: T.String(),
        accepted: T.Boolean({ description: 'Whether it is an answer of 200' }),
        count: T.Integer({ description: `At most ${countedMax}` }),
        has_more: T.Boolean({ description: 'There are more than that' }),
      }),
    ),
    next_cursor: lastPage,
  }),
  async handle({ db, ids, query, now }) {
    const from = plusDays(now, -(query.days ?? daysUsual));
    // A line's time may be a moment ahead of this one's: another process wrote it.
    const span = { fromId: firstIdAt(from), toId: firstIdAt(plusDays(now, 1)) };
    const counted = await countsByReason(db, ids.store, { reasons: known, ...span, most: countedMax });
    const data = counted.map(({ reason, count }) => ({
      reason,
      means: rowOf(reason).means,
      accepted: rowOf(reason).status === 200,
      count: Math.min(Number(count), countedMax),
      has_more: count > countedMax,
    }));
    return { from: isoTime(from), data, next_cursor: null };
  },
});

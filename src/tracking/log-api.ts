import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { explain } from '../contract/explain.ts';
import { speechToMerchants } from '../contract/speech.ts';
import { isReason, reasonRow, reasons } from '../contract/reasons.ts';
import { createConcurrencyLimiter } from '../contract/concurrency-limiter.ts';
import { textLengthMax } from '../contract/fields.ts';
import { parseTime } from '../contract/timestamp.ts';
import { loadCreatorNames } from '../creators/name-creators.ts';
import type { Why } from '../contract/why.ts';
import type { Queryable } from '../db/database.ts';
import { endpoint } from '../people/endpoint.ts';
import { isStillAllowed } from '../people/recheck-access.ts';
import { isRefusal, notFound, refuse, sent, type Refusal } from '../http/responses.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { jsonText } from '../core/json.ts';
import { lastPage, pageFields, sortField } from '../http/page.ts';
import { firstIdAt, publicId } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import { maskKeys, maskKeysInBytes } from '../core/mask-keys.ts';
import { followLog } from './follow-log.ts';
import { countLogEntries, countsByReason, findLogEntry, listLogEntries, logSorts, type StoredLogEntry, type LogFilter } from './log-sql.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

const wordMax = 50;

export const logEntryJson = namedObject('LogEntry', {
  id: T.String(),
  at: T.String(),
  operation: T.String(),
  status: T.Integer(),
  reason: T.String(),
  subject: orNull(T.String({ description: "The merchant's order_id or event_id" })),
  test: T.Boolean(),
  replay: T.Boolean(),
  request_id: T.String(),
  postback_key_id: T.String(),
  latency_ms: T.Number(),
  explanation: T.String({ description: 'The explanation of the response, in a sentence with the compared values' }),
  why: T.Object({}, { additionalProperties: true }),
  warnings: T.Array(T.Object({ code: T.String(), field: orNull(T.String()), message: T.String() })),
  reply: T.Object({}, { additionalProperties: true }),
  body: orNull(
    T.String({
      description:
        'The body as it was received, with keys masked to their last four characters; null after ninety days, or where it was not read',
    }),
  ),
});

type NameCreators = (why: Why) => Why;

export function showLogEntry(line: StoredLogEntry, nameCreators: NameCreators): LogEntryJson {
  return {
    id: publicId('post', line.postbackId),
    at: isoTime(line.at),
    operation: line.operation,
    status: line.status,
    reason: line.reason,
    subject: line.subject,
    test: line.isTest,
    replay: line.isReplay,
    request_id: line.requestId,
    postback_key_id: publicId('pbkey', line.postbackKeyId),
    latency_ms: line.latencyUs / 1_000,
    explanation: explain({ operation: line.operation, reason: line.reason, why: nameCreators(line.why) }, speechToMerchants),
    why: line.why,
    warnings: [...line.warnings],
    reply: line.reply,
    // Bodies that were stored before keys were masked may contain one.
    body: line.body === null ? null : maskKeysInBytes(line.body).bytes.toString('utf8'),
  };
}

export type LogEntryJson = Static<typeof logEntryJson>;

/** The columns of the CSV file, named as in JSON, without bodies. New columns are added at the end. */
const lineColumns: ReadonlyArray<CsvColumn<LogEntryJson>> = [
  ...fieldColumns('id', 'at', 'operation', 'status', 'reason', 'subject', 'test', 'replay', 'request_id', 'postback_key_id'),
  ...fieldColumns('latency_ms'),
  { title: 'warnings', cell: ({ warnings }) => warnings.map(({ code }) => code).join(' ') },
  { title: 'explanation', cell: ({ explanation }) => explanation },
];

const timeLengthMax = 40;
const time = (description: string) => T.Optional(T.String({ maxLength: timeLengthMax, description }));

/** An invalid filter is an error; ignoring it would show entries that the caller did not ask for. */
const wrongTime = (field: string): Refusal =>
  refuse('invalid_request', apiMessage('shared.query_invalid'), [{ field, message: apiMessage('shared.time') }]);

const filterFields = {
  status: T.Optional(T.Integer({ minimum: 100, maximum: 599 })),
  reason: T.Optional(T.String({ maxLength: wordMax })),
  operation: T.Optional(T.String({ maxLength: wordMax })),
  q: T.Optional(
    T.String({
      maxLength: textLengthMax,
      pattern: String.raw`^[^\u0000\p{Cs}]*$`,
      description: 'A prefix of an order_id or event_id',
    }),
  ),
  from: time('From this moment on'),
  to: time('Before this moment'),
};
const filterSchema = T.Object(filterFields);

function readFilter(query: Static<typeof filterSchema>): LogFilter | Refusal {
  const [from, to] = [parseTime(query.from), parseTime(query.to)];
  if (from === 'unreadable') return wrongTime('from');
  if (to === 'unreadable') return wrongTime('to');
  const { status = null, reason = null, operation = null, q } = query;
  return { status, reason, operation, subject: q === undefined || q === '' ? null : maskKeys(q).text, from, to };
}

export const listTrackingLog = sortedListEndpoint({
  summary: 'List the authenticated postbacks with their responses and explanations, newest first; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields, ...sortField(logSorts) }, { additionalProperties: false }),
  item: logEntryJson,
  readFilter: ({ query }) => readFilter(query),
  rows: ({ db, ids, filter }, page) => listLogEntries(db, ids.store, filter, page),
  renderer: async ({ db }, lines) => {
    const nameCreators = await loadCreatorNames(
      db,
      lines.map(({ why }) => why),
    );
    return (line) => showLogEntry(line, nameCreators);
  },
  sorts: logSorts,
  csv: { name: 'tracking-log.csv', columns: lineColumns },
});

/** An exact count above this is not useful. */
const totalsMax = 100_000;

export const trackingLogTotals = endpoint({
  summary: 'Count the matching postbacks, up to 100,000',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(filterFields, { additionalProperties: false }),
  reply: T.Object({ count: T.Integer({ description: `At most ${totalsMax}` }), has_more: T.Boolean() }),
  async handle({ db, ids, query }) {
    const filter = readFilter(query);
    if (isRefusal(filter)) return filter;
    const count = await countLogEntries(db, ids.store, filter, totalsMax);
    return { count: Math.min(count, totalsMax), has_more: count > totalsMax };
  },
});

/** Each feed queries the database twice a second, or more often under load. A dashboard opens one feed. */
export const feedsPerStoreMax = 20;
/** For all stores in one process. The limiter reserves the last ones for stores with few feeds. */
export const feedsMax = 200;

export const feedLimiter = createConcurrencyLimiter(feedsMax, feedsPerStoreMax);

const tooManyFeeds: Refusal = {
  ...refuse('too_many_requests', apiMessage('log_api.too_many_follow_log_at')),
  retryAfterSeconds: 5,
};

/** Sends each new entry as a server-sent event after its commit, and comments that keep the connection open through proxies. */
export const streamTrackingLog = endpoint({
  summary: 'Stream the tracking log (server-sent events)',
  access: { allow: 'store', permission: 'store:read' },
  files: ['text/event-stream'],
  async handle({ platform, ids, identity }) {
    const release = feedLimiter.take(ids.store);
    if (release === null) return tooManyFeeds;
    const mayContinue = () => isStillAllowed(platform, { identity, storeId: ids.store, permission: 'store:read' });
    const disconnected = new AbortController();
    const events = new PassThrough();
    events.once('close', () => {
      disconnected.abort();
      release();
    });
    // Fails if the reader disconnects or the database is unavailable: the feed ends, and the browser reconnects.
    const lines = followLog({ platform, storeId: ids.store, mayContinue, disconnected: disconnected.signal });
    void pipeline(eventsOf(platform.database, lines), events).catch(() => {});
    return sent({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }, events);
  },
});

async function* eventsOf(db: Queryable, lines: AsyncIterable<StoredLogEntry | 'heartbeat'>): AsyncGenerator<string> {
  yield 'retry: 2000\n: the tracking log, as it happens\n\n';
  for await (const line of lines) {
    if (line === 'heartbeat') yield ': still here\n\n';
    else {
      const entry = showLogEntry(line, await loadCreatorNames(db, [line.why]));
      yield `event: postback\nid: ${entry.id}\ndata: ${jsonText(entry)}\n\n`;
    }
  }
}

export const getTrackingLogLine = endpoint({
  summary: 'Get a postback with its response and explanation',
  access: { allow: 'store', permission: 'store:read' },
  ids: { postback: 'post' },
  reply: logEntryJson,
  async handle({ db, ids }) {
    const entry = await findLogEntry(db, { storeId: ids.store, postbackId: ids.postback });
    return entry === null ? notFound : showLogEntry(entry, await loadCreatorNames(db, [entry.why]));
  },
});

const daysMax = 90;
const daysUsual = 7;
/** An exact count above this is not useful. */
const countedMax = 10_000;
const knownReasons = Object.keys(reasons).filter(isReason);

export const countTrackingLog = endpoint({
  summary: 'Count the recent postbacks by reason, most frequent first',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    { days: T.Optional(T.Integer({ minimum: 1, maximum: daysMax, description: `${daysUsual} by default` })) },
    { additionalProperties: false },
  ),
  reply: namedObject('ReasonCounts', {
    from: T.String(),
    data: T.Array(
      T.Object({
        reason: T.String(),
        means: T.String(),
        accepted: T.Boolean({ description: 'Whether the status is 200' }),
        count: T.Integer({ description: `At most ${countedMax}` }),
        has_more: T.Boolean({ description: 'True if there are more' }),
      }),
    ),
    next_cursor: lastPage,
  }),
  async handle({ db, ids, query, now }) {
    const from = plusDays(now, -(query.days ?? daysUsual));
    // The clock of the process that wrote an entry may be ahead of this one.
    const span = { fromId: firstIdAt(from), toId: firstIdAt(plusDays(now, 1)) };
    const counted = await countsByReason(db, ids.store, { reasons: knownReasons, ...span, most: countedMax });
    const data = counted.map(({ reason, count }) => ({
      reason,
      means: reasonRow(reason).means,
      accepted: reasonRow(reason).status === 200,
      count: Math.min(Number(count), countedMax),
      has_more: count > countedMax,
    }));
    return { from: isoTime(from), data, next_cursor: null };
  },
});

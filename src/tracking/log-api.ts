import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Type as T, type Static } from 'typebox';
import { explain } from '../contract/explain.ts';
import { textLengthMax } from '../contract/fields.ts';
import { readAskedTime } from '../contract/timestamp.ts';
import { endpoint } from '../people/endpoint.ts';
import { stillMay } from '../people/still-may.ts';
import { isRefusal, refuse, sent, type Refusal } from '../platform/http/answers.ts';
import { csvDownload, everyPage, pagesInFile } from '../platform/http/csv.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { jsonText } from '../platform/http/json.ts';
import { chooseType } from '../platform/http/media-type.ts';
import { pageFields, pageOf, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { publicId } from '../platform/ids.ts';
import { maskKeys, maskKeysInBytes } from '../platform/mask-keys.ts';
import { follow } from './follow.ts';
import { lineColumns } from './log-csv.ts';
import { feedPlaces } from './places.ts';
import { countLines, listLines, type KeptLine, type LineFilter } from './sql.ts';

const wordMax = 50;

export const lineJson = T.Object({
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
  explanation: T.String({ description: 'Why it was answered so, in a sentence with the values compared' }),
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

export function showLine(line: KeptLine): LineJson {
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
    explanation: explain({ operation: line.operation, reason: line.reason, why: line.why }, 'merchant'),
    why: line.why,
    warnings: [...line.warnings],
    reply: line.reply,
    // Bodies that were stored before keys were masked may hold one.
    body: line.body === null ? null : maskKeysInBytes(line.body).bytes.toString('utf8'),
  };
}

export type LineJson = Static<typeof lineJson>;

const timeLengthMax = 40;
const time = (description: string) => T.Optional(T.String({ maxLength: timeLengthMax, description }));

/** Never left out: a filter that is not understood would show other lines than were asked for. */
const wrongTime = (field: string): Refusal =>
  refuse('invalid_request', 'The query is not right; see errors.', [{ field, message: 'must be a time such as 2026-03-01T12:00:00.000Z' }]);

const filterFields = {
  status: T.Optional(T.Integer({ minimum: 100, maximum: 599 })),
  reason: T.Optional(T.String({ maxLength: wordMax })),
  operation: T.Optional(T.String({ maxLength: wordMax })),
  q: T.Optional(
    T.String({
      maxLength: textLengthMax,
      pattern: String.raw`^[^\u0000\p{Cs}]*$`,
      description: 'The beginning of an order_id or event_id',
    }),
  ),
  from: time('From this moment on'),
  to: time('Before this moment'),
};
const filterSchema = T.Object(filterFields);

function readFilter(query: Static<typeof filterSchema>): LineFilter | Refusal {
  const [from, to] = [readAskedTime(query.from), readAskedTime(query.to)];
  if (from === 'unreadable') return wrongTime('from');
  if (to === 'unreadable') return wrongTime('to');
  const { status = null, reason = null, operation = null, q } = query;
  return { status, reason, operation, subject: q === undefined || q === '' ? null : maskKeys(q).text, from, to };
}

export const listTrackingLog = endpoint({
  summary: 'Every authenticated postback with its answer and why, newest first; all of them as a file with Accept: text/csv',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields }, { additionalProperties: false }),
  files: ['text/csv'],
  reply: pageOf(lineJson),
  async handle({ db, ids, query, request }) {
    const filter = readFilter(query);
    if (isRefusal(filter)) return filter;
    if (chooseType(request.accept, ['application/json', 'text/csv']) === 'text/csv') {
      const pages = shown(everyPage((page) => listLines(db, ids.store, filter, page), positionOf));
      return pagesInFile(query) ?? csvDownload('tracking-log.csv', lineColumns, pages);
    }
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(await listLines(db, ids.store, filter, page), page, showLine, positionOf);
  },
});

const positionOf = ({ postbackId }: KeptLine) => [postbackId];

async function* shown(pages: AsyncIterable<readonly KeptLine[]>): AsyncGenerator<readonly LineJson[]> {
  for await (const lines of pages) yield lines.map(showLine);
}

/** As for commissions: beyond this nobody reads the last digit. */
const totalsMax = 100_000;

export const trackingLogTotals = endpoint({
  summary: 'How many postbacks match; beyond 100,000 "more than"',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object(filterFields, { additionalProperties: false }),
  reply: T.Object({ count: T.Integer({ description: `At most ${totalsMax}` }), has_more: T.Boolean() }),
  async handle({ db, ids, query }) {
    const filter = readFilter(query);
    if (isRefusal(filter)) return filter;
    const count = await countLines(db, ids.store, filter, totalsMax);
    return { count: Math.min(count, totalsMax), has_more: count > totalsMax };
  },
});

const tooManyFeeds: Refusal = {
  ...refuse('too_many_requests', 'Too many follow this log at this moment; read the list, or try again in some seconds.'),
  retryAfterSeconds: 5,
};

/** Server-sent events: each new line as it is committed, then a comment now and then so that proxies keep the connection. */
export const streamTrackingLog = endpoint({
  summary: 'The tracking log as it happens (server-sent events)',
  access: { who: 'store', permission: 'store:read' },
  files: ['text/event-stream'],
  async handle({ platform, ids, identity }) {
    const giveBack = feedPlaces.take(ids.store);
    if (giveBack === null) return tooManyFeeds;
    const mayGoOn = () => stillMay(platform, { identity, storeId: ids.store, permission: 'store:read' });
    const gone = new AbortController();
    const events = new PassThrough();
    events.once('close', () => {
      gone.abort();
      giveBack();
    });
    // It fails because the reader is gone, or the database is away: the feed ends, and its browser comes again.
    void pipeline(eventsOf(follow({ platform, storeId: ids.store, mayGoOn, gone: gone.signal })), events).catch(() => {});
    return sent({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }, events);
  },
});

async function* eventsOf(lines: AsyncIterable<KeptLine | 'still here'>): AsyncGenerator<string> {
  yield 'retry: 2000\n: the tracking log, as it happens\n\n';
  for await (const line of lines) {
    if (line === 'still here') yield ': still here\n\n';
    else yield `event: postback\nid: ${publicId('post', line.postbackId)}\ndata: ${jsonText(showLine(line))}\n\n`;
  }
}

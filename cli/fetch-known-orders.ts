import type { MerchantSettings } from '../src/core/config.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { callApi, UsageError, storePath } from './command.ts';
import type { KnownOrder } from './decide-reconcile.ts';

type LogLine = {
  readonly operation: 'conversion' | 'reversal';
  readonly status: number;
  readonly reason: string;
  readonly explanation: string;
  readonly subject: string;
  readonly body: string | null;
};

const pageSize = 200;
const pagesMax = 5_000;

/** Reads the tracking log about one-time orders since a time, by order. Test orders are excluded. */
export async function fetchKnownOrders(settings: MerchantSettings, from: Date | null): Promise<ReadonlyMap<string, KnownOrder>> {
  const known = new Map<string, KnownOrder>();
  for (const operation of ['conversion', 'reversal'] as const) {
    // Entries are sorted newest first, so the first entry of an order is its latest state.
    for await (const line of linesOf(settings, operation, from))
      known.set(line.subject, mergeLine(known.get(line.subject) ?? unknownOrder, line));
  }
  return known;
}

const unknownOrder: KnownOrder = { recorded: null, isReversed: false, refusal: null, reversalRefusal: null };

function mergeLine(known: KnownOrder, line: LogLine): KnownOrder {
  const isGood = line.status === 200;
  // A conflict or a replay changes nothing: the first report remains, and follows further down.
  if (line.reason === 'duplicate_order_conflict') return known;
  if (line.operation === 'reversal') {
    if (isGood) return { ...known, isReversed: true };
    return { ...known, reversalRefusal: known.reversalRefusal ?? `${line.reason}: ${line.explanation}` };
  }
  if (isGood) return { ...known, recorded: { subtotalCents: known.recorded?.subtotalCents ?? subtotalIn(line.body) } };
  const { reason, explanation } = line;
  return { ...known, refusal: known.refusal ?? { reason, why: `${reason}: ${explanation}` } };
}

function subtotalIn(body: string | null): number | null {
  const json: unknown = body === null ? null : JSON.parse(body);
  const isOrder = typeof json === 'object' && json !== null && 'order_subtotal_cents' in json;
  return isOrder && typeof json.order_subtotal_cents === 'number' ? json.order_subtotal_cents : null;
}

async function* linesOf(settings: MerchantSettings, operation: LogLine['operation'], from: Date | null): AsyncGenerator<LogLine> {
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = new URLSearchParams({ operation, limit: String(pageSize) });
    if (from !== null) query.set('from', from.toISOString());
    if (cursor !== null) query.set('cursor', cursor);
    const response = await callApi(settings, `${storePath(settings)}/tracking-log?${query.toString()}`);
    const json: unknown = await response.json();
    if (!isPage(json)) throw new UsageError(apiMessage('cli_fetch_known_orders.no_page'));
    for (const line of json.data) if (isLine(line) && line.operation === operation) yield line;
    cursor = json.next_cursor;
    if (cursor === null) return;
  }
  throw new UsageError(apiMessage('cli_fetch_known_orders.too_many', { most: String(pagesMax * pageSize) }));
}

const isPage = (json: unknown): json is { readonly data: readonly unknown[]; readonly next_cursor: string | null } =>
  typeof json === 'object' && json !== null && 'data' in json && Array.isArray(json.data) && 'next_cursor' in json;

/** A report that failed a request check was never evaluated, so a corrected report may be accepted. */
const failedRequestChecks = (line: object): boolean =>
  Reflect.get(line, 'status') === 400 && JSON.stringify(Reflect.get(line, 'why')) === '{}';

function isLine(line: unknown): line is LogLine {
  if (typeof line !== 'object' || line === null || Reflect.get(line, 'test') === true || failedRequestChecks(line)) return false;
  const isText = (name: string) => typeof Reflect.get(line, name) === 'string';
  return ['operation', 'reason', 'explanation', 'subject'].every(isText) && typeof Reflect.get(line, 'status') === 'number';
}

import type { MerchantSettings } from '../src/platform/config.ts';
import { callApi, Mistake, storePath } from './command.ts';
import type { KnownOrder } from './decide-reconcile.ts';

type Line = {
  readonly operation: 'conversion' | 'reversal';
  readonly status: number;
  readonly reason: string;
  readonly explanation: string;
  readonly subject: string;
  readonly body: string | null;
};

const pageSize = 200;
const pagesMax = 5_000;

/** All that the tracking log says about one-time orders since a moment, by order. Test orders are left out. */
export async function knownOrders(settings: MerchantSettings, from: Date | null): Promise<ReadonlyMap<string, KnownOrder>> {
  const known = new Map<string, KnownOrder>();
  for (const operation of ['conversion', 'reversal'] as const) {
    // Newest first: of several the first one met is the last word.
    for await (const line of linesOf(settings, operation, from)) known.set(line.subject, joined(known.get(line.subject) ?? nothing, line));
  }
  return known;
}

const nothing: KnownOrder = { recorded: null, isReversed: false, refusal: null, reversalRefusal: null };

function joined(known: KnownOrder, line: Line): KnownOrder {
  const isGood = line.status === 200;
  // A conflict or a replay says nothing new: the first report stands, and comes further down.
  if (line.reason === 'duplicate_order_conflict') return known;
  if (line.operation === 'reversal') {
    if (isGood) return { ...known, isReversed: true };
    return { ...known, reversalRefusal: known.reversalRefusal ?? `${line.reason}: ${line.explanation}` };
  }
  if (isGood) return { ...known, recorded: { subtotalCents: known.recorded?.subtotalCents ?? subtotalIn(line.body) } };
  return { ...known, refusal: known.refusal ?? `${line.reason}: ${line.explanation}` };
}

function subtotalIn(body: string | null): number | null {
  const json: unknown = body === null ? null : JSON.parse(body);
  const isOrder = typeof json === 'object' && json !== null && 'order_subtotal_cents' in json;
  return isOrder && typeof json.order_subtotal_cents === 'number' ? json.order_subtotal_cents : null;
}

async function* linesOf(settings: MerchantSettings, operation: Line['operation'], from: Date | null): AsyncGenerator<Line> {
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = new URLSearchParams({ operation, limit: String(pageSize) });
    if (from !== null) query.set('from', from.toISOString());
    if (cursor !== null) query.set('cursor', cursor);
    const response = await callApi(settings, `${storePath(settings)}/tracking-log?${query.toString()}`);
    const json: unknown = await response.json();
    if (!isPage(json)) throw new Mistake('the service answered with something else than a page of its tracking log');
    for (const line of json.data) if (isLine(line) && line.operation === operation) yield line;
    cursor = json.next_cursor;
    if (cursor === null) return;
  }
  throw new Mistake(`the tracking log has more than ${pagesMax * pageSize} lines since then; split the table`);
}

const isPage = (json: unknown): json is { readonly data: readonly unknown[]; readonly next_cursor: string | null } =>
  typeof json === 'object' && json !== null && 'data' in json && Array.isArray(json.data) && 'next_cursor' in json;

/** What a gate refused was judged by nobody, so it says nothing of its order: a report made of the shop's books may be taken. */
const isOfGate = (line: object): boolean => Reflect.get(line, 'status') === 400 && JSON.stringify(Reflect.get(line, 'why')) === '{}';

function isLine(line: unknown): line is Line {
  if (typeof line !== 'object' || line === null || Reflect.get(line, 'test') === true || isOfGate(line)) return false;
  const isText = (name: string) => typeof Reflect.get(line, name) === 'string';
  return ['operation', 'reason', 'explanation', 'subject'].every(isText) && typeof Reflect.get(line, 'status') === 'number';
}

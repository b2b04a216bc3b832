import { centsFromDecimal } from '../sdk/src/cents.ts';
import { serialise } from '../sdk/src/reports.ts';
import type { Postback } from '../sdk/src/tributary.ts';
import { readTimestamp } from '../src/contract/timestamp.ts';
import { exit, UsageError, type Command } from './command.ts';
import { readCsv, type Row } from './csv.ts';
import { decideReconcile, type Finding, type StoreOrder } from './decide-reconcile.ts';
import { fetchKnownOrders } from './fetch-known-orders.ts';
import { writePostbackLines } from './postback-lines.ts';

type BookedOrder = StoreOrder & { readonly occurredAt: string; readonly refundedAt: string | null; readonly currency: string };
const dayMs = 86_400_000;

export const reconcile: Command = {
  usage: 'reconcile <orders.csv> [--out missing.jsonl] [--json]',
  does: 'compares your orders with the recorded ones (columns: order_id, click_id, total or total_cents, currency, occurred_at, refunded_at)',
  async run({ words: [path], flags, settings }, terminal) {
    if (path === undefined) throw new UsageError('name a file: reconcile orders.csv');
    const orders = readCsv(await terminal.read(path)).map(readOrder);
    const known = await fetchKnownOrders(settings, earliest(orders));
    const findings = orders.map((order) => ({ order, finding: decideReconcile(order, known.get(order.orderId) ?? null) }));
    for (const { order, finding } of findings) {
      if (flags.json === true) terminal.say(JSON.stringify({ order_id: order.orderId, line: order.line, ...finding }));
      else if (finding.is !== 'matched' && finding.is !== 'no_click')
        terminal.say(`${finding.is.replaceAll('_', ' ')}: ${order.orderId}${detail(finding, order)}`);
    }
    if (flags.json !== true)
      for (const [is, count] of Object.entries(countByWord(findings.map(({ finding }) => finding.is))))
        terminal.say(`${count} ${is.replaceAll('_', ' ')}`);
    const missing = findings.flatMap(({ order, finding }) => missingPostbacks(order, finding));
    if (missing.length === 0) return findings.every(({ finding }) => isSettled(finding)) ? exit.done : exit.wrong;
    const out = flags.out ?? `${path.replace(/\.csv$/i, '')}.missing.jsonl`;
    await terminal.write(out, writePostbackLines(missing));
    if (flags.json !== true) terminal.say(`Wrote ${missing.length} missing reports to ${out}. Send them with: replay ${out}`);
    return exit.wrong;
  },
};

const isSettled = ({ is }: Finding): boolean => is === 'matched' || is === 'no_click';

function detail(finding: Finding, { subtotalCents }: StoreOrder): string {
  if (finding.is === 'amount_differs') return ` (${subtotalCents} cents in your file, ${finding.recordedCents} recorded)`;
  return 'why' in finding ? ` (${finding.why})` : '';
}

function countByWord(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function missingPostbacks(order: BookedOrder, { is }: Finding): readonly Postback[] {
  const { orderId, clickId, subtotalCents, occurredAt, refundedAt, currency } = order;
  const conversion = { orderId, clickId, currency, orderSubtotalCents: subtotalCents, occurredAt };
  const report =
    is === 'never_posted'
      ? serialise('conversion', conversion)
      : is === 'refund_missing'
        ? serialise('reversal', { orderId, occurredAt: refundedAt, reason: 'refunded' })
        : null;
  if (report === null) return [];
  if ('body' in report) return [report];
  throw new UsageError(`line ${order.line}: ${report.message}`);
}

function readOrder(row: Row): BookedOrder {
  const wrong = (what: string): never => {
    throw new UsageError(`line ${row.line}: ${what}`);
  };
  const orderId = row.of('order_id') || wrong('order_id is missing');
  const time = (column: string) => {
    const text = row.of(column);
    return text !== '' && readTimestamp(text) === 'unreadable'
      ? wrong(`${column} must be a time such as 2026-03-01T12:00:00Z, not "${text}"`)
      : text;
  };
  const refundedAt = time('refunded_at');
  return {
    line: row.line,
    orderId,
    clickId: row.of('click_id') || null,
    subtotalCents: centsIn(row) ?? wrong('total (such as 10.05) or total_cents is missing'),
    currency: row.of('currency') || 'USD',
    occurredAt: time('occurred_at') || wrong('occurred_at is missing'),
    refundedAt: refundedAt || null,
    isRefunded: refundedAt !== '',
  };
}

function centsIn(row: Row): number | null {
  const total = row.of('total_cents');
  if (/^\d{1,16}$/.test(total) && Number.isSafeInteger(Number(total))) return Number(total);
  try {
    return centsFromDecimal(row.of('total'));
  } catch {
    return null;
  }
}

/** A day before the first order: clocks differ, and reports may precede the records of the store. */
function earliest(orders: readonly BookedOrder[]): Date | null {
  const times = orders.map(({ occurredAt }) => Date.parse(occurredAt));
  return times.length === 0 ? null : new Date(times.reduce((least, time) => Math.min(least, time)) - dayMs);
}

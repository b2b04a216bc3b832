import { centsFromDecimal } from '../sdk/src/cents.ts';
import { serialise } from '../sdk/src/reports.ts';
import type { Postback } from '../sdk/src/tributary.ts';
import { readTimestamp } from '../src/contract/timestamp.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import { exit, UsageError, type Command } from './command.ts';
import { readCsv, type Row } from './csv.ts';
import { decideReconcile, type Finding, type StoreOrder } from './decide-reconcile.ts';
import { fetchKnownOrders } from './fetch-known-orders.ts';
import { writePostbackLines } from './postback-lines.ts';

type BookedOrder = StoreOrder & {
  readonly occurredAt: string;
  readonly refundedAt: string | null;
  readonly currency: string;
  readonly customerId: string | null;
  /** Null: the file has no column for them, and orders without a click are not reported. */
  readonly discountCodes: readonly string[] | null;
};
const dayMs = 86_400_000;

export const reconcile: Command = {
  usage: 'reconcile <orders.csv> [--out missing.jsonl] [--json]',
  does: apiMessage('cli_reconcile.does'),
  async run({ words: [path], flags, settings }, terminal) {
    if (path === undefined) throw new UsageError(apiMessage('cli_reconcile.name_a_file'));
    const orders = readCsv(await terminal.read(path)).map(readOrder);
    const known = await fetchKnownOrders(settings, earliest(orders));
    const findings = orders.map((order) => ({ order, finding: decideReconcile(order, known.get(order.orderId) ?? null) }));
    for (const { order, finding } of findings) {
      if (flags.json === true) terminal.say(JSON.stringify({ order_id: order.orderId, line: order.line, ...finding }));
      else if (finding.is !== 'matched' && finding.is !== 'no_click')
        terminal.say(`${findingNames[finding.is]}: ${order.orderId}${detail(finding, order)}`);
    }
    if (flags.json !== true)
      for (const [name, count] of Object.entries(countByWord(findings.map(({ finding }) => findingNames[finding.is]))))
        terminal.say(`${count} ${name}`);
    const missing = findings.flatMap(({ order, finding }) => missingPostbacks(order, finding));
    if (missing.length === 0) return findings.every(({ finding }) => isSettled(finding)) ? exit.done : exit.wrong;
    const out = flags.out ?? `${path.replace(/\.csv$/i, '')}.missing.jsonl`;
    await terminal.write(out, writePostbackLines(missing));
    if (flags.json !== true) terminal.say(apiMessage('cli_reconcile.wrote_missing', { count: missing.length, file: out }));
    return exit.wrong;
  },
};

const findingNames: Readonly<Record<Finding['is'], string>> = {
  matched: apiMessage('cli_reconcile.matched'),
  no_click: apiMessage('cli_reconcile.no_click'),
  never_posted: apiMessage('cli_reconcile.never_posted'),
  refused: apiMessage('cli_reconcile.refused'),
  amount_differs: apiMessage('cli_reconcile.amount_differs'),
  refund_missing: apiMessage('cli_reconcile.refund_missing'),
  refund_refused: apiMessage('cli_reconcile.refund_refused'),
  reversed_only_there: apiMessage('cli_reconcile.reversed_only_there'),
};

const isSettled = ({ is }: Finding): boolean => is === 'matched' || is === 'no_click';

function detail(finding: Finding, { subtotalCents }: StoreOrder): string {
  if (finding.is === 'amount_differs')
    return apiMessage('cli_reconcile.amounts', { yours: String(subtotalCents), recorded: String(finding.recordedCents) });
  return 'why' in finding ? ` (${finding.why})` : '';
}

function countByWord(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function missingPostbacks(order: BookedOrder, { is }: Finding): readonly Postback[] {
  const { orderId, clickId, subtotalCents, occurredAt, refundedAt, currency, customerId, discountCodes } = order;
  const conversion = { orderId, clickId, currency, orderSubtotalCents: subtotalCents, occurredAt, customerId, discountCodes };
  const report =
    is === 'never_posted'
      ? serialise('conversion', conversion)
      : is === 'refund_missing'
        ? serialise('reversal', { orderId, occurredAt: refundedAt, reason: 'refunded' })
        : null;
  if (report === null) return [];
  if ('body' in report) return [report];
  throw wrongLine(order.line, report.message);
}

const wrongLine = (line: number, message: string) => new UsageError(apiMessage('cli_reconcile.line', { line: String(line), message }));

function readOrder(row: Row): BookedOrder {
  const wrong = (message: string): never => {
    throw wrongLine(row.line, message);
  };
  const orderId = row.of('order_id') || wrong(apiMessage('cli_reconcile.order_id_missing'));
  const time = (column: string) => {
    const text = row.of(column);
    return text !== '' && readTimestamp(text) === 'unreadable' ? wrong(apiMessage('cli_reconcile.invalid_time', { column, text })) : text;
  };
  const refundedAt = time('refunded_at');
  const discountCodes = row.has('discount_codes') ? codesIn(row.of('discount_codes')) : null;
  const customerId = row.of('customer_id') || null;
  return {
    line: row.line,
    orderId,
    clickId: row.of('click_id') || null,
    customerId,
    discountCodes,
    namesPartner: discountCodes !== null && (discountCodes.length > 0 || customerId !== null),
    subtotalCents: centsIn(row) ?? wrong(apiMessage('cli_reconcile.total_missing')),
    currency: row.of('currency') || 'USD',
    occurredAt: time('occurred_at') || wrong(apiMessage('cli_reconcile.occurred_at_missing')),
    refundedAt: refundedAt || null,
    isRefunded: refundedAt !== '',
  };
}

const codesIn = (cell: string): readonly string[] => cell.split('|').flatMap((code) => code.trim() || []);

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

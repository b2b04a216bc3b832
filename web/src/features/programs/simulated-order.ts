import { parseHundredths } from '../../ui/amounts.ts';
import { formError } from '../../ui/form.tsx';
import { localInputToUtc } from '../../ui/time.tsx';
import type { SimulatedLine, SimulatedOrder } from './simulator-api.ts';

/** The typed order as a request body: the total in cents, or the line items that make it up. */
export function simulationBody({ total, lines, orderedAt, clickedAt }: SimulatedOrder) {
  const items = lines.map(parseLine);
  const subtotal =
    items.length === 0 ? parseCents(total, 'The order’s total') : items.reduce((sum, { amount_minor_units: cents }) => sum + cents, 0);
  return {
    order: {
      order_subtotal_cents: subtotal,
      ...(items.length > 0 && { line_items: items }),
      ...(orderedAt !== '' && { occurred_at: parseTimeField(orderedAt) }),
    },
    ...(clickedAt !== '' && { clicked_at: parseTimeField(clickedAt) }),
  };
}

function parseLine({ product, quantity, amount }: SimulatedLine) {
  if (product === '') throw formError('Each product needs its id.');
  if (!/^[1-9]\d{0,8}$/.test(quantity)) throw formError('A quantity is a whole number of 1 or more.');
  return { product_id: product, quantity: Number(quantity), amount_minor_units: parseCents(amount, 'The amount of a product') };
}

function parseTimeField(typed: string): string {
  const moment = localInputToUtc(typed);
  if (moment === null) throw formError('A time needs its day and its hour, such as 3 May 2026, 12:00.');
  return moment;
}

function parseCents(typed: string, what: string): number {
  const cents = parseHundredths(typed.trim());
  if (cents === null) throw formError(`${what} needs an amount such as 120 or 19.99.`);
  return cents;
}

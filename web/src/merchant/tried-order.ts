import { readHundredths } from '../parts/amounts.ts';
import { faultOfWhole } from '../parts/form.tsx';
import { utcOfLocal } from '../parts/time.tsx';
import type { TriedLine, TriedOrder } from './simulator-api.ts';

/** What was typed, as the service wants it: the total in cents, or the lines that make it up. */
export function orderIn({ total, lines, orderedAt, clickedAt }: TriedOrder) {
  const items = lines.map(lineIn);
  const subtotal =
    items.length === 0 ? centsIn(total, 'The order’s total') : items.reduce((sum, { amount_minor_units: cents }) => sum + cents, 0);
  return {
    order: {
      order_subtotal_cents: subtotal,
      ...(items.length > 0 && { line_items: items }),
      ...(orderedAt !== '' && { occurred_at: momentIn(orderedAt) }),
    },
    ...(clickedAt !== '' && { clicked_at: momentIn(clickedAt) }),
  };
}

function lineIn({ product, quantity, amount }: TriedLine) {
  if (product === '') throw faultOfWhole('Each product needs its id.');
  if (!/^[1-9]\d{0,8}$/.test(quantity)) throw faultOfWhole('A quantity is a whole number of 1 or more.');
  return { product_id: product, quantity: Number(quantity), amount_minor_units: centsIn(amount, 'The amount of a product') };
}

function momentIn(typed: string): string {
  const moment = utcOfLocal(typed);
  if (moment === null) throw faultOfWhole('A time needs its day and its hour, such as 3 May 2026, 12:00.');
  return moment;
}

function centsIn(typed: string, what: string): number {
  const cents = readHundredths(typed.trim());
  if (cents === null) throw faultOfWhole(`${what} needs an amount such as 120 or 19.99.`);
  return cents;
}

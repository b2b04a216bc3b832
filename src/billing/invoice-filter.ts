import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { readTimeRange, timeRangeFields } from '../contract/time-range.ts';
import { searchField } from '../http/fields.ts';
import { isRefusal, type Refusal } from '../http/responses.ts';
import { shownInvoiceStates, type ShownInvoiceState } from './invoice-states.ts';

/** A filter shared by the list, its totals, and its CSV, so that they never differ. */
export type InvoiceFilter = {
  readonly state: ShownInvoiceState | null;
  /** Bounds of the issue date: `from` is inclusive, `to` is exclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** A part of the number, as in INV-00042. */
  readonly search: string | null;
};

export const invoiceFilterFields = {
  state: T.Optional(T.Enum([...shownInvoiceStates])),
  ...timeRangeFields('Issued at or after this time', 'Issued before this time'),
  q: searchField('A part of the number, such as 42 or INV-00042'),
};
const filterSchema = T.Object(invoiceFilterFields);

export function readInvoiceFilter(fields: Static<typeof filterSchema>): InvoiceFilter | Refusal {
  const range = readTimeRange(fields);
  return isRefusal(range) ? range : { state: fields.state ?? null, ...range, search: fields.q ?? null };
}

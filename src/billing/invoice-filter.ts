import { Type as T, type Static } from 'typebox';
import { parseTime } from '../contract/timestamp.ts';
import { searchField } from '../http/fields.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { shownInvoiceStates, type ShownInvoiceState } from './invoice-states.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A filter shared by the list, its totals, and its CSV, so that they never differ. */
export type InvoiceFilter = {
  readonly state: ShownInvoiceState | null;
  /** Bounds of the issue date: `from` is inclusive, `to` is exclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** A part of the number, as in INV-00042. */
  readonly search: string | null;
};

const timeLengthMax = 40;

export const invoiceFilterFields = {
  state: T.Optional(T.Enum([...shownInvoiceStates])),
  from: T.Optional(T.String({ maxLength: timeLengthMax, description: 'Issued at or after this time' })),
  to: T.Optional(T.String({ maxLength: timeLengthMax, description: 'Issued before this time' })),
  q: searchField('A part of the number, such as 42 or INV-00042'),
};
const filterSchema = T.Object(invoiceFilterFields);

export function readInvoiceFilter(fields: Static<typeof filterSchema>): InvoiceFilter | Refusal {
  const [from, to] = [parseTime(fields.from), parseTime(fields.to)];
  if (from === 'unreadable') return wrongTime('from');
  if (to === 'unreadable') return wrongTime('to');
  return { state: fields.state ?? null, from, to, search: fields.q ?? null };
}

const wrongTime = (field: string): Refusal =>
  refuse('invalid_request', apiMessage('shared.filter_invalid'), [{ field, message: apiMessage('shared.time_with_offset') }]);

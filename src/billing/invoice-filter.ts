import { Type as T, type Static } from 'typebox';
import { readAskedTime } from '../contract/timestamp.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { shownInvoiceStates, type ShownInvoiceState } from './invoice.ts';

/** Which invoices of a store are meant: what the list shows, what is added up and what the file holds must never differ. */
export type InvoiceFilter = {
  readonly state: ShownInvoiceState | null;
  /** By when it was issued: from is inside, to is outside. */
  readonly from: Date | null;
  readonly to: Date | null;
};

const timeLengthMax = 40;

export const invoiceFilterFields = {
  state: T.Optional(T.Enum([...shownInvoiceStates])),
  from: T.Optional(T.String({ maxLength: timeLengthMax, description: 'It was issued then or later' })),
  to: T.Optional(T.String({ maxLength: timeLengthMax, description: 'It was issued before' })),
};
const filterSchema = T.Object(invoiceFilterFields);

export function readInvoiceFilter(fields: Static<typeof filterSchema>): InvoiceFilter | Refusal {
  const [from, to] = [readAskedTime(fields.from), readAskedTime(fields.to)];
  if (from === 'unreadable') return wrongTime('from');
  if (to === 'unreadable') return wrongTime('to');
  return { state: fields.state ?? null, from, to };
}

const wrongTime = (field: string): Refusal =>
  refuse('invalid_request', 'The filter is not right; see errors.', [
    { field, message: 'must be a time with an offset, such as 2026-03-01T12:00:00.000Z' },
  ]);

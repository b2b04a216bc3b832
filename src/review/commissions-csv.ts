import type { CsvColumn } from '../platform/http/csv.ts';
import { jsonText } from '../platform/http/json.ts';
import type { CommissionJson } from './commission-json.ts';

/** The columns of the file, named as in JSON. New ones come last: somebody's sheet counts them. */
export const commissionColumns: ReadonlyArray<CsvColumn<CommissionJson>> = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'occurred_at', cell: ({ occurred_at: at }) => at },
  { title: 'recorded_at', cell: ({ recorded_at: at }) => at },
  { title: 'order_id', cell: ({ order_id: id }) => id },
  { title: 'invoice_id', cell: ({ invoice_id: id }) => id },
  { title: 'order_name', cell: ({ order_name: name }) => name },
  { title: 'creator_id', cell: ({ creator_id: id }) => id },
  { title: 'creator_name', cell: ({ creator_name: name }) => name },
  { title: 'program_id', cell: ({ program_id: id }) => id },
  { title: 'eligible_cents', cell: ({ eligible_cents: cents }) => cents },
  { title: 'amount_cents', cell: ({ amount_cents: cents }) => cents },
  { title: 'state', cell: ({ state }) => state },
  { title: 'held_reason', cell: ({ held }) => held?.reason ?? null },
  { title: 'held_since', cell: ({ held }) => held?.since ?? null },
  { title: 'hold_until', cell: ({ hold_until: at }) => at },
  { title: 'approved_at', cell: ({ approved_at: at }) => at },
  { title: 'rejected_at', cell: ({ rejected_at: at }) => at },
  { title: 'rejected_reason', cell: ({ rejected_reason: reason }) => reason },
  { title: 'rejected_note', cell: ({ rejected_note: note }) => note },
  { title: 'reversed_at', cell: ({ reversed_at: at }) => at },
  { title: 'reversal_reason', cell: ({ reversal_reason: reason }) => reason },
  { title: 'terms_version', cell: ({ terms_version: version }) => version },
  { title: 'customer_id', cell: ({ customer_id: id }) => id },
  { title: 'discount_code', cell: ({ discount_code: code }) => code },
  { title: 'metadata', cell: ({ metadata }) => (metadata === null ? null : jsonText(metadata)) },
  { title: 'explanation', cell: ({ explanation }) => explanation },
];

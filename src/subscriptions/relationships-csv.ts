import type { CsvColumn } from '../platform/http/csv.ts';
import type { RelationshipJson } from './relationships-api.ts';

/** The columns of the file, named as in JSON. New ones come last: somebody's sheet counts them. */
export const relationshipColumns: ReadonlyArray<CsvColumn<RelationshipJson>> = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'relationship_id', cell: ({ relationship_id: id }) => id },
  { title: 'state', cell: ({ state }) => state },
  { title: 'held_reason', cell: ({ held }) => held?.reason ?? null },
  { title: 'held_since', cell: ({ held }) => held?.since ?? null },
  { title: 'creator_id', cell: ({ creator_id: id }) => id },
  { title: 'creator_name', cell: ({ creator_name: name }) => name },
  { title: 'program_id', cell: ({ program_id: id }) => id },
  { title: 'product_id', cell: ({ product_id: id }) => id },
  { title: 'price_id', cell: ({ price_id: id }) => id },
  { title: 'terms_version', cell: ({ rule }) => rule?.terms_version ?? null },
  { title: 'paid_invoices', cell: ({ paid_invoices: count }) => count },
  { title: 'earning_invoices', cell: ({ earning_invoices: count }) => count },
  { title: 'earned_cents', cell: ({ earned_cents: cents }) => cents },
  { title: 'bound_at', cell: ({ bound_at: at }) => at },
  { title: 'recorded_at', cell: ({ recorded_at: at }) => at },
  { title: 'ended_at', cell: ({ ended_at: at }) => at },
  { title: 'end_reason', cell: ({ end_reason: reason }) => reason },
];

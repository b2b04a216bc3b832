import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { jsonText } from '../core/json.ts';
import { listDecisions, type Decision } from '../commissions/decisions-sql.ts';
import { commissionExists } from '../commissions/review-sql.ts';
import { commissionFilterFields, parseCommissionFilter } from '../commissions/commission-filter.ts';
import { findCommission, listCommissions, listedCommissionSorts, commissionTotals } from '../commissions/list-commissions-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { pageFields, sortField } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { commissionJson, loadCommissionRenderer, type CommissionJson } from './commission-json.ts';
import { centsField, isoTime, namedObject, orNull } from '../http/fields.ts';
import { listEndpoint, sortedListEndpoint } from '../people/list-endpoint.ts';

const access = { allow: 'store', permission: 'store:read' } as const;

/** Named as in JSON. Add new columns at the end, because spreadsheets refer to columns by position. */
const commissionColumns: ReadonlyArray<CsvColumn<CommissionJson>> = [
  ...fieldColumns('id', 'occurred_at', 'recorded_at', 'order_id', 'invoice_id', 'order_name', 'creator_id', 'creator_name'),
  ...fieldColumns('program_id', 'eligible_cents', 'amount_cents', 'state'),
  { title: 'held_reason', cell: ({ held }) => held?.reason ?? null },
  { title: 'held_since', cell: ({ held }) => held?.since ?? null },
  ...fieldColumns('hold_until', 'approved_at', 'rejected_at', 'rejected_reason', 'rejected_note', 'reversed_at', 'reversal_reason'),
  ...fieldColumns('terms_version', 'customer_id', 'discount_code'),
  { title: 'metadata', cell: ({ metadata }) => (metadata === null ? null : jsonText(metadata)) },
  ...fieldColumns('refunded_cents', 'explanation'),
  { title: 'discount_codes', cell: ({ discount_codes: codes }) => (codes.length === 0 ? null : codes.join(' ')) },
  ...fieldColumns('attributed_by', 'credited_code', 'lead_id', 'lead_kind'),
  { title: 'bonus_reason', cell: ({ bonus }) => bonus?.reason ?? null },
];

export const listCommissionsEndpoint = sortedListEndpoint({
  summary: 'List the commissions of the store with their explanations, newest first; as a file with Accept: text/csv',
  access,
  query: T.Object({ ...pageFields, ...commissionFilterFields, ...sortField(listedCommissionSorts) }, { additionalProperties: false }),
  item: commissionJson,
  readFilter({ query: { cursor: _cursor, limit: _limit, sort: _sort, ...fields }, now }) {
    return parseCommissionFilter(fields, '', now);
  },
  rows: ({ db, ids, filter }, page) => listCommissions(db, ids.store, filter, page),
  renderer: ({ db, ids }, commissions) => loadCommissionRenderer(db, ids.store, commissions),
  sorts: listedCommissionSorts,
  csv: { name: 'commissions.csv', columns: commissionColumns },
});

/** Counting all commissions of a large store would take as long as reading them. */
export const totalsExactMax = 100_000;

export const commissionTotalsEndpoint = endpoint({
  summary: 'Count the matching commissions and add up their amounts, up to 100,000',
  access,
  query: T.Object(commissionFilterFields, { additionalProperties: false }),
  reply: namedObject('CommissionTotals', {
    count: T.Integer({ description: `At most ${totalsExactMax}` }),
    amount_cents: centsField(),
    eligible_cents: centsField(),
    earned_cents: centsField('The amounts without rejected and reversed commissions'),
    has_more: T.Boolean({ description: 'True if more match; the totals are those of the latest ones' }),
  }),
  async handle({ db, ids, query, now }) {
    const filter = parseCommissionFilter(query, '', now);
    if (isRefusal(filter)) return filter;
    const { count, amountCents, eligibleCents, earnedCents } = await commissionTotals(db, ids.store, filter, totalsExactMax);
    return {
      count: Math.min(Number(count), totalsExactMax),
      amount_cents: amountCents,
      eligible_cents: eligibleCents,
      earned_cents: earnedCents,
      has_more: count > totalsExactMax,
    };
  },
});

export const getCommissionEndpoint = endpoint({
  summary: 'Get a commission with its explanation',
  access,
  ids: { commission: 'com' },
  reply: commissionJson,
  async handle({ db, ids }) {
    const commission = await findCommission(db, { storeId: ids.store, commissionId: ids.commission });
    if (commission === null) return notFound;
    return (await loadCommissionRenderer(db, ids.store, [commission]))(commission);
  },
});

const decisionJson = namedObject('CommissionDecision', {
  id: T.String(),
  action: T.Enum(['approve', 'reject', 'hold', 'release', 'reopen']),
  reason: orNull(T.String()),
  note: orNull(T.String()),
  by: T.String({ description: '`user_…`, `key_…`, or `system` for an automatic approval' }),
  by_name: T.String(),
  at: T.String(),
});

const showDecision = ({ decisionId, decidedBy, decidedByName, at, ...decision }: Decision): Static<typeof decisionJson> => ({
  id: publicId('dec', decisionId),
  action: decision.action,
  reason: decision.reason,
  note: decision.note,
  by: decidedBy,
  by_name: decidedByName,
  at: isoTime(at),
});

export const listDecisionsEndpoint = listEndpoint({
  summary: 'List the decisions on a commission with their authors and reasons, newest first',
  access: { allow: 'store', permission: 'store:read' },
  ids: { commission: 'com' },
  item: decisionJson,
  exists: ({ db, ids }) => commissionExists(db, { storeId: ids.store, commissionId: ids.commission }),
  rows: ({ db, ids }, page) => listDecisions(db, { storeId: ids.store, commissionId: ids.commission }, page),
  renderer: () => showDecision,
  key: ({ decisionId }) => [decisionId],
});

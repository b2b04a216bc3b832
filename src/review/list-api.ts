import { hash } from 'node:crypto';
import { Type as T, type Static } from 'typebox';
import { commissionStates, holdReasons } from '../commissions/commission.ts';
import { commissionFilterFields, readCommissionFilter } from '../commissions/filter.ts';
import { listCommissions, type ListedCommission } from '../commissions/list-sql.ts';
import { explain } from '../contract/explain.ts';
import type { Why } from '../contract/why.ts';
import { orderDetails, type OrderDetails } from '../orders/sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal } from '../platform/http/answers.ts';
import { isoTime, orNull } from '../platform/http/fields.ts';
import { pageFields, pageOf, pageReply, readPage, timeShape, uuidShape } from '../platform/http/page.ts';
import { publicId, timeOfId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';

const commissionJson = T.Object({
  id: T.String(),
  state: T.Enum(commissionStates),
  held: orNull(T.Object({ reason: T.Enum(holdReasons), by: T.String(), since: T.String() })),
  program_id: T.String(),
  creator_id: T.String(),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String()),
  amount_cents: T.Integer(),
  eligible_cents: T.Integer(),
  occurred_at: T.String(),
  recorded_at: T.String(),
  hold_until: T.String(),
  terms_version: T.Integer(),
  explanation: T.String({ description: 'Why it is what it is, with the values that were compared' }),
  order_name: orNull(T.String()),
  customer_id: orNull(T.String()),
  discount_code: orNull(T.String()),
  metadata: orNull(T.Object({}, { additionalProperties: true })),
  rejected_reason: orNull(T.String()),
  reversal_reason: orNull(T.String()),
});

export const listCommissionsEndpoint = endpoint({
  summary: 'The commissions of the store, the latest first, each with why it is what it is',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...commissionFilterFields }, { additionalProperties: false }),
  reply: pageOf(commissionJson),
  async handle({ db, ids, query }) {
    const { cursor: _cursor, limit: _limit, ...fields } = query;
    const page = readPage(query, [timeShape, uuidShape]);
    if (isRefusal(page)) return page;
    const filter = readCommissionFilter(fields, '');
    if (isRefusal(filter)) return filter;
    const commissions = await listCommissions(db, ids.store, filter, page);
    const hashes = commissions.flatMap((commission) => (commission.sourceKind === 'order' ? [hashOf(commission)] : []));
    const orders = new Map((await orderDetails(db, ids.store, hashes)).map((order) => [order.orderHash.toString('latin1'), order]));
    const show = (commission: ListedCommission) =>
      showCommission(commission, commission.sourceKind === 'order' ? (orders.get(hashOf(commission).toString('latin1')) ?? null) : null);
    return pageReply(commissions, page, show, ({ occurredAt, commissionId }) => [String(occurredAt.getTime()), commissionId]);
  },
});

const hashOf = ({ sourceText }: ListedCommission): Buffer => hash('sha256', sourceText, 'buffer');

function showCommission(commission: ListedCommission, order: OrderDetails | null): Static<typeof commissionJson> {
  const { sourceKind, sourceText } = commission;
  return {
    id: publicId('com', commission.commissionId),
    state: commission.state,
    held: showHold(commission),
    program_id: publicId('prog', commission.programId),
    creator_id: publicId('crt', commission.creatorId),
    order_id: sourceKind === 'order' ? sourceText : null,
    invoice_id: sourceKind === 'invoice' ? sourceText : null,
    amount_cents: Number(commission.amountCents),
    eligible_cents: Number(commission.eligibleCents),
    occurred_at: isoTime(commission.occurredAt),
    recorded_at: isoTime(commission.recordedAt),
    hold_until: isoTime(commission.holdUntil),
    terms_version: commission.termsVersion,
    explanation: explained(commission, order),
    order_name: order?.orderName ?? null,
    customer_id: order?.customerId ?? null,
    discount_code: order?.discountCode ?? null,
    metadata: order === null || order.metadata === null ? null : JSON.parse(order.metadata),
    rejected_reason: commission.rejectedReason,
    reversal_reason: commission.reversalReason,
  };
}

function showHold({ heldReason, heldBy, heldSince }: ListedCommission): Static<typeof commissionJson>['held'] {
  if (heldReason === null) return null;
  must(heldBy !== null && heldSince !== null, 'a hold says by whom and since when');
  return { reason: heldReason, by: heldBy, since: isoTime(heldSince) };
}

/** What its decision compared stands in its copied terms; how it ended is said after it. */
function explained(commission: ListedCommission, order: OrderDetails | null): string {
  const why: Why = {
    occurred_at: isoTime(commission.occurredAt),
    attribution_days: commission.attributionDays,
    terms_version: commission.termsVersion,
    commission_cents: Number(commission.amountCents),
    eligible_cents: Number(commission.eligibleCents),
    earned: commission.earned,
    hold_until: isoTime(commission.holdUntil),
    ...(commission.heldReason === null ? {} : { held: commission.heldReason }),
    ...(order === null ? {} : { clicked_at: isoTime(timeOfId(order.clickId)) }),
  };
  const [opening, reversal] =
    commission.sourceKind === 'order' ? (['conversion', 'reversal'] as const) : (['billing_event', 'invoice_reversal'] as const);
  const earned = explain({ operation: opening, reason: 'recorded', why }, 'merchant');
  if (commission.state === 'reversed') return `${earned} ${explain({ operation: reversal, reason: 'recorded', why }, 'merchant')}`;
  return commission.state === 'rejected' ? `${earned} It was rejected, and earns nothing.` : earned;
}

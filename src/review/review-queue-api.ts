import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { holdReasons } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { showHold } from './commission-json.ts';
import { listReviewQueue, reviewQueueSorts, type QueuedCommission, type ReviewQueueFilter } from './review-queue-sql.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';

const queuedCommissionJson = namedObject('OpenCommission', {
  id: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  state: T.Enum(commissionStates),
  held: orNull(T.Object({ reason: T.Enum(holdReasons), by: T.String(), since: T.String() })),
  order_id: orNull(T.String()),
  invoice_id: orNull(T.String()),
  lead_id: orNull(T.String()),
  bonus_reason: orNull(T.String({ description: 'Only of a bonus, which has no order' })),
  amount_cents: centsField(),
  occurred_at: T.String(),
  auto_approve_at: orNull(T.String({ description: 'The earliest time of its automatic approval; the job runs every hour' })),
});

const showQueued = (commission: QueuedCommission, creatorName: string): Static<typeof queuedCommissionJson> => ({
  id: publicId('com', commission.commissionId),
  store_id: publicId('store', commission.storeId),
  store_name: commission.storeName,
  creator_id: publicId('crt', commission.creatorId),
  creator_name: creatorName,
  state: commission.state,
  held: showHold(commission),
  order_id: commission.sourceKind === 'order' ? commission.sourceText : null,
  invoice_id: commission.sourceKind === 'invoice' ? commission.sourceText : null,
  lead_id: commission.sourceKind === 'lead' ? commission.sourceText : null,
  bonus_reason: commission.sourceKind === 'bonus' ? commission.sourceText : null,
  amount_cents: commission.amountCents,
  occurred_at: isoTime(commission.occurredAt),
  auto_approve_at: isoTimeOrNull(commission.autoApproveAt),
});

export const listReviewQueueEndpoint = sortedListEndpoint({
  summary: 'List the commissions that wait for a release or a review, of all stores, oldest first',
  access: { allow: 'operator' },
  query: T.Object(
    {
      held: T.Optional(
        T.Union([T.Boolean(), T.Enum(holdReasons)], {
          description: 'Held commissions, or those with this reason; false for pending ones that are not held',
        }),
      ),
      store_id: T.Optional(idField()),
      ...pageFields,
      ...sortField(reviewQueueSorts),
    },
    { additionalProperties: false },
  ),
  item: queuedCommissionJson,
  readFilter: ({ query: { held = null, store_id: store } }): ReviewQueueFilter => ({
    held,
    storeId: store === undefined ? null : (readPublicId('store', store) ?? 'none'),
  }),
  rows: ({ db, filter }, page) => listReviewQueue(db, filter, page),
  async renderer({ db }, waiting) {
    const names = await creatorNames(db, [...new Set(waiting.map(({ creatorId }) => creatorId))]);
    return (commission) => showQueued(commission, names.get(commission.creatorId) ?? '');
  },
  sorts: reviewQueueSorts,
});

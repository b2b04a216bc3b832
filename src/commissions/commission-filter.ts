import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { textLengthMax } from '../contract/fields.ts';
import { readTimeRange, timeRangeFields } from '../contract/time-range.ts';
import { isRefusal, type Refusal } from '../http/responses.ts';
import { externalIdField, searchField, idField } from '../http/fields.ts';
import { timeShape, uuidShape } from '../http/page.ts';
import { maskKeys } from '../core/mask-keys.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import { holdReasons, type HoldReason } from './commission.ts';
import { commissionStates, type CommissionState } from './commission-states.ts';

/** A filter of a store's commissions. The list and the bulk actions share it, so that an action affects exactly the listed commissions. */
export type CommissionFilter = {
  readonly state: CommissionState | null;
  readonly held: boolean | HoldReason | null;
  /** `none`: the given ID is not a creator ID, so nothing matches. */
  readonly creatorId: Id<'crt'> | 'none' | null;
  readonly orderId: string | null;
  /** Matches the beginning or the end of the merchant's ID or of the order's name, or any part of the creator's name. */
  readonly search: string | null;
  /** Any part of the merchant's ID: for the sales of one creator, which are few enough to read. Does not match what creators do not see. */
  readonly sourceIdPart: string | null;
  /** Like `search` without names of creators, or only the whole ID or name. */
  readonly source: { readonly text: string; readonly isWhole: boolean } | null;
  /** By `occurred_at`: `from` inclusive, `to` exclusive. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Pending, not on hold, and due for automatic approval by then. */
  readonly autoApproveBy: Date | null;
};

export const noFilter: CommissionFilter = {
  state: null,
  held: null,
  creatorId: null,
  orderId: null,
  search: null,
  sourceIdPart: null,
  source: null,
  from: null,
  to: null,
  autoApproveBy: null,
};

/** The longest automatic approval period of a program. */
const daysAheadMax = 90;

export const commissionFilterFields = {
  state: T.Optional(T.Enum(commissionStates)),
  held: T.Optional(T.Union([T.Boolean(), T.Enum(holdReasons)], { description: 'Whether it is on hold, or the reason of the hold' })),
  creator_id: T.Optional(idField()),
  order_id: T.Optional(externalIdField()),
  ...timeRangeFields(),
  q: searchField(
    'The beginning or the end of an order_id, invoice_id, lead_id or order_name, or a part of the name of a creator, ignoring case',
    textLengthMax,
  ),
  approves_itself_within_days: T.Optional(
    T.Integer({ minimum: 0, maximum: daysAheadMax, description: 'Pending, not on hold, and approved automatically within this many days' }),
  ),
};
const filterSchema = T.Object(commissionFilterFields, { additionalProperties: false });

/** `prefix` is put before field names in errors: `filter.` if the filter is part of a body, otherwise empty. */
export function parseCommissionFilter(fields: Static<typeof filterSchema>, prefix: string, now: Date): CommissionFilter | Refusal {
  const range = readTimeRange(fields, prefix);
  if (isRefusal(range)) return range;
  const days = fields.approves_itself_within_days;
  return {
    ...range,
    state: fields.state ?? null,
    held: fields.held ?? null,
    creatorId: fields.creator_id === undefined ? null : (readPublicId('crt', fields.creator_id) ?? 'none'),
    orderId: fields.order_id === undefined ? null : maskKeys(fields.order_id).text,
    sourceIdPart: null,
    source: null,
    search: fields.q === undefined ? null : maskKeys(fields.q).text,
    autoApproveBy: days === undefined ? null : plusDays(now, days),
  };
}

/** The page cursor of commissions, latest first. */
export const commissionCursor = ({ occurredAt, commissionId }: { readonly occurredAt: Date; readonly commissionId: Id<'com'> }) =>
  [String(occurredAt.getTime()), commissionId] as const;

export const commissionCursorShapes = [timeShape, uuidShape] as const;

import { Type as T, type Static } from 'typebox';
import { textLengthMax } from '../contract/fields.ts';
import { readAskedTime } from '../contract/timestamp.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { foreignIdField } from '../platform/http/fields.ts';
import { maskKeys } from '../platform/mask-keys.ts';
import { readPublicId, type Id } from '../platform/ids.ts';
import { plusDays } from '../platform/time.ts';
import { commissionStates, holdReasons, type CommissionState, type HoldReason } from './commission.ts';

/** Which commissions of a store are meant: what a list shows and what is decided "for all of these" must never differ. */
export type CommissionFilter = {
  readonly state: CommissionState | null;
  readonly held: boolean | HoldReason | null;
  /** `nobody`: the id is none that a creator could have, so nothing matches. */
  readonly creatorId: Id<'crt'> | 'nobody' | null;
  readonly orderId: string | null;
  readonly beginning: string | null;
  /** By when it happened: from is inside, to is outside. */
  readonly from: Date | null;
  readonly to: Date | null;
  /** Pending, not held, and approving itself by then if nobody decides. */
  readonly approvesItselfBy: Date | null;
};

/** All of a store's. */
export const noFilter: CommissionFilter = {
  state: null,
  held: null,
  creatorId: null,
  orderId: null,
  beginning: null,
  from: null,
  to: null,
  approvesItselfBy: null,
};

const idLengthMax = 40;
const timeLengthMax = 40;
/** No program waits longer. */
const daysAheadMax = 90;

export const commissionFilterFields = {
  state: T.Optional(T.Enum(commissionStates)),
  held: T.Optional(T.Union([T.Boolean(), T.Enum(holdReasons)], { description: 'Whether it is held, or the reason for which it is' })),
  creator_id: T.Optional(T.String({ maxLength: idLengthMax })),
  order_id: T.Optional(foreignIdField()),
  from: T.Optional(T.String({ maxLength: timeLengthMax, description: 'It happened then or later' })),
  to: T.Optional(T.String({ maxLength: timeLengthMax, description: 'It happened before' })),
  q: T.Optional(
    T.String({
      maxLength: textLengthMax,
      pattern: String.raw`^[^\u0000\p{Cs}]*$`,
      description: 'The beginning of an order_id or invoice_id',
    }),
  ),
  approves_itself_within_days: T.Optional(
    T.Integer({ minimum: 0, maximum: daysAheadMax, description: 'Pending, not held, and approving itself within so many days' }),
  ),
};
const filterSchema = T.Object(commissionFilterFields, { additionalProperties: false });

/** `place` is what stands before a field's name where the filter is part of something: `filter.` or nothing. */
export function readCommissionFilter(fields: Static<typeof filterSchema>, place: string, now: Date): CommissionFilter | Refusal {
  const from = readAskedTime(fields.from);
  const to = readAskedTime(fields.to);
  const days = fields.approves_itself_within_days;
  if (from === 'unreadable') return wrongTime(`${place}from`);
  if (to === 'unreadable') return wrongTime(`${place}to`);
  return {
    state: fields.state ?? null,
    held: fields.held ?? null,
    creatorId: fields.creator_id === undefined ? null : (readPublicId('crt', fields.creator_id) ?? 'nobody'),
    orderId: fields.order_id === undefined ? null : maskKeys(fields.order_id).text,
    beginning: fields.q === undefined || fields.q === '' ? null : maskKeys(fields.q).text,
    from,
    to,
    approvesItselfBy: days === undefined ? null : plusDays(now, days),
  };
}

const wrongTime = (field: string): Refusal =>
  refuse('invalid_request', 'The filter is not right; see errors.', [
    { field, message: 'must be a time with an offset, such as 2026-03-01T12:00:00.000Z' },
  ]);

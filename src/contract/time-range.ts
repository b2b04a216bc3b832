import { Type as T } from 'typebox';
import { refuse, type Refusal } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { parseTime } from './timestamp.ts';

/** `from` is inclusive, `to` is exclusive. Null: without a bound. */
export type TimeRange = { readonly from: Date | null; readonly to: Date | null };

const timeLengthMax = 40;

/** The parameters of a list that is filtered by time. */
export const timeRangeFields = (from = 'At or after this time', to = 'Before this time') => ({
  from: T.Optional(T.String({ maxLength: timeLengthMax, description: from })),
  to: T.Optional(T.String({ maxLength: timeLengthMax, description: to })),
});

/** `prefix` is put before field names in errors. An invalid time is an error: ignoring it would return rows that were not requested. */
export function readTimeRange(
  fields: { readonly from?: string | undefined; readonly to?: string | undefined },
  prefix = '',
): TimeRange | Refusal {
  const [from, to] = [parseTime(fields.from), parseTime(fields.to)];
  if (from === 'unreadable') return invalidTime(`${prefix}from`);
  if (to === 'unreadable') return invalidTime(`${prefix}to`);
  return { from, to };
}

const invalidTime = (field: string): Refusal =>
  refuse('invalid_request', apiMessage('shared.filter_invalid'), [{ field, message: apiMessage('shared.time_with_offset') }]);

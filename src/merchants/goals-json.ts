import { Type as T } from 'typebox';
import { namedObject, singleAmountField } from '../http/fields.ts';
import { goalPeriods } from './goals.ts';

const goalsMax = 10;

export const goalJson = namedObject('Goal', {
  orders: T.Integer({ minimum: 1, description: 'Approved one-time orders of a creator' }),
  period: T.Enum(goalPeriods, { description: 'In a calendar month (UTC) of their approval, or in all' }),
  amount_cents: singleAmountField(),
});
export const goalsBody = T.Array(
  T.Object({ orders: T.Integer(), period: T.Enum(goalPeriods), amount_cents: T.Integer() }, { additionalProperties: false }),
  { maxItems: goalsMax, description: 'Bonuses for reaching a number of approved orders; 1 in total is the first sale' },
);

import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { pageOf } from '../http/page.ts';
import { listPaidYears } from './sales-sql.ts';
import { centsField, namedObject } from '../http/fields.ts';

export const paidYearsEndpoint = endpoint({
  summary: 'Get the amounts paid to a creator by year (UTC), for tax reports',
  access: { allow: 'creator', permission: 'creator:read' },
  reply: pageOf(namedObject('PaidYear', { year: T.Integer(), paid_cents: centsField(), payouts: T.Integer() })),
  async handle({ db, ids }) {
    const years = await listPaidYears(db, ids.creator);
    const data = years.map(({ year, paidCents, payouts }) => ({ year, paid_cents: paidCents, payouts: Number(payouts) }));
    return { data, next_cursor: null };
  },
});

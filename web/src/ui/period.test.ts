import { expect, test } from 'vitest';
import { periodQuery } from './period.ts';

test.each([
  [{}, { days: '30' }],
  [{ last: '90d' }, { days: '90' }],
  [{ last: 'mtd' }, { period: 'month_to_date' }],
  [
    { last: '90d', from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-01-01', to: '2026-01-31' },
  ],
])('the period %j is requested as %j', (search, query) => {
  expect(periodQuery(search)).toEqual(query);
});

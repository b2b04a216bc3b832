import { Type as T } from 'typebox';
import { commissionFilterFields, readCommissionFilter, type CommissionFilter } from '../commissions/filter.ts';
import { findCommission, listCommissions, totalsOfCommissions, type ListedCommission } from '../commissions/list-sql.ts';
import { positionOf, positionShapes } from '../commissions/position.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, notFound, type Refusal, type Sent } from '../platform/http/answers.ts';
import { csvDownload, everyPage, pagesInFile } from '../platform/http/csv.ts';
import { chooseType } from '../platform/http/media-type.ts';
import { pageFields, pageOf, pageReply, readPage, type PageQuery } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import { commissionJson, showingCommissions, type CommissionJson } from './commission-json.ts';
import { commissionColumns } from './commissions-csv.ts';
import { centsField } from '../platform/http/fields.ts';

const access = { who: 'store', permission: 'store:read' } as const;

export const listCommissionsEndpoint = endpoint({
  summary: 'The commissions of the store, the latest first, each with why; all of them as a file with Accept: text/csv',
  access,
  query: T.Object({ ...pageFields, ...commissionFilterFields }, { additionalProperties: false }),
  files: ['text/csv'],
  reply: pageOf(commissionJson),
  async handle({ db, ids, query, now, request }) {
    const { cursor: _cursor, limit: _limit, ...fields } = query;
    const filter = readCommissionFilter(fields, '', now);
    if (isRefusal(filter)) return filter;
    if (chooseType(request.accept, ['application/json', 'text/csv']) === 'text/csv') return csvOf(db, ids.store, filter, query);
    const page = readPage(query, positionShapes);
    if (isRefusal(page)) return page;
    const commissions = await listCommissions(db, ids.store, filter, page);
    return pageReply(commissions, page, await showingCommissions(db, ids.store, commissions), positionOf);
  },
});

function csvOf(db: Queryable, storeId: Id<'store'>, filter: CommissionFilter, query: PageQuery): Sent | Refusal {
  const refused = pagesInFile(query);
  if (refused !== null) return refused;
  const pages = everyPage((page) => listCommissions(db, storeId, filter, page), positionOf);
  return csvDownload('commissions.csv', commissionColumns, shown(db, storeId, pages));
}

async function* shown(
  db: Queryable,
  storeId: Id<'store'>,
  pages: AsyncIterable<readonly ListedCommission[]>,
): AsyncGenerator<readonly CommissionJson[]> {
  for await (const commissions of pages) yield commissions.map(await showingCommissions(db, storeId, commissions));
}

/** Beyond this nobody reads the last digit, and counting would take as long as reading all. */
export const totalsExactMax = 100_000;

export const commissionTotalsEndpoint = endpoint({
  summary: 'How many commissions match, and what they come to; beyond 100,000 "more than"',
  access,
  query: T.Object(commissionFilterFields, { additionalProperties: false }),
  reply: T.Object({
    count: T.Integer({ description: `At most ${totalsExactMax}` }),
    amount_cents: centsField(),
    eligible_cents: centsField(),
    earned_cents: centsField('The amounts without what was rejected or reversed'),
    has_more: T.Boolean({ description: 'There are more than that: these are the figures of the latest ones' }),
  }),
  async handle({ db, ids, query, now }) {
    const filter = readCommissionFilter(query, '', now);
    if (isRefusal(filter)) return filter;
    const { count, amountCents, eligibleCents, earnedCents } = await totalsOfCommissions(db, ids.store, filter, totalsExactMax);
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
  summary: 'One commission, with why it is what it is',
  access,
  ids: { commission: 'com' },
  reply: commissionJson,
  async handle({ db, ids }) {
    const commission = await findCommission(db, { storeId: ids.store, commissionId: ids.commission });
    if (commission === null) return notFound;
    return (await showingCommissions(db, ids.store, [commission]))(commission);
  },
});

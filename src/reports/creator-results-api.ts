import { Type as T } from 'typebox';
import { publicId, type Id } from '../core/ids.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { codeShape } from '../creators/links.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { findLinkNumber } from '../creators/creator-links-sql.ts';
import type { Queryable } from '../db/database.ts';
import { namedObject, orNull } from '../http/fields.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { comparedRange, comparisons } from './compared-range.ts';
import { listResultDays, listResultLinks, type LinkResults, type ResultsKey } from './creator-results-sql.ts';
import type { DayRange } from './day-range.ts';
import { parsePeriod, periodFields } from './period-query.ts';
import { addSales, salesTotalsFields, showSales } from './sales-totals.ts';
import { dayOf } from '../core/time.ts';

/** Of the links; the rest is on the page of links. */
const linksMax = 20;

const rangeFields = {
  from: T.String(),
  to: T.String(),
  totals: T.Object(salesTotalsFields),
  days: T.Array(T.Object({ day: T.String(), ...salesTotalsFields }), { description: 'Only days with clicks or orders' }),
};

const resultsJson = namedObject('CreatorResults', {
  ...rangeFields,
  compared: orNull(
    T.Object(
      { ...rangeFields, is_complete: T.Boolean({ description: 'False if the creator was created after the first of these days' }) },
      { description: 'Null without compare' },
    ),
  ),
  programs: T.Array(
    T.Object({ program_id: T.String(), program_name: T.String(), store_id: T.String(), store_name: T.String(), ...salesTotalsFields }),
    { description: 'Programs with results, by commissions; they add up to the totals' },
  ),
  links: T.Array(T.Object({ code: T.String(), program_id: T.String(), program_name: T.String(), ...salesTotalsFields }), {
    description: `The links with the highest commissions, at most ${linksMax}`,
  }),
});

export const creatorResultsEndpoint = endpoint({
  summary: "Get a creator's results over time, in all programs, by day, program, and link",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...periodFields,
      compare: T.Optional(T.Enum(comparisons, { description: 'Adds the results of another range, as for the overview of a store' })),
      link: T.Optional(T.String({ pattern: codeShape, description: 'Limits the results to the link with this code' })),
    },
    { additionalProperties: false },
  ),
  reply: resultsJson,
  async handle({ db, ids: { creator: creatorId }, query, now }) {
    const range = parsePeriod(query, now);
    if (isRefusal(range)) return range;
    const creator = await findCreator(db, creatorId);
    if (creator === null) return notFound;
    const storeIds = await listStoresOfCreator(db, creatorId);
    const key: ResultsKey = { creatorId, storeIds, code: query.link ?? null };
    if (query.link !== undefined && (await findLinkNumber(db, { ...key, code: query.link })) === null) return notFound;
    const other = query.compare === undefined ? null : comparedRange(range, query.compare);
    const [shown, compared, links] = [
      await readRange(db, key, range),
      other === null ? null : await readRange(db, key, other),
      await listResultLinks(db, key, range),
    ];
    const isComplete = other !== null && dayOf(creator.createdAt) <= other.from;
    return {
      ...shown,
      compared: compared === null ? null : { ...compared, is_complete: isComplete },
      ...(await showBreakdown(db, links)),
    };
  },
});

async function readRange(db: Queryable, key: ResultsKey, range: DayRange) {
  const days = await listResultDays(db, key, range);
  return { ...range, totals: showSales(addSales(days)), days: days.map(({ day, ...sales }) => ({ day, ...showSales(sales) })) };
}

async function showBreakdown(db: Queryable, links: readonly LinkResults[]) {
  const [programs, stores] = [await programsByName(db, links), await storesById(db, storesOf(links))];
  const nameOf = ({ programId }: LinkResults) => programs.get(programId)?.name ?? '';
  const byProgram = [...Map.groupBy(links, ({ programId }) => programId).values()].flatMap((some) => {
    const [first] = some;
    return first === undefined ? [] : [{ first, sales: addSales(some) }];
  });
  return {
    programs: byProgram
      .toSorted((one, two) => descending(one.sales.earnedCents, two.sales.earnedCents) || descending(one.sales.clicks, two.sales.clicks))
      .map(({ first, sales }) => ({
        program_id: publicId('prog', first.programId),
        program_name: nameOf(first),
        store_id: publicId('store', first.storeId),
        store_name: stores.get(first.storeId)?.name ?? '',
        ...showSales(sales),
      })),
    links: links.slice(0, linksMax).map((link) => ({
      code: link.code,
      program_id: publicId('prog', link.programId),
      program_name: nameOf(link),
      ...showSales(link),
    })),
  };
}

const descending = (one: bigint, two: bigint): number => (one > two ? -1 : Number(one < two));

const storesOf = (links: readonly LinkResults[]): ReadonlyArray<Id<'store'>> => [...new Set(links.map(({ storeId }) => storeId))];

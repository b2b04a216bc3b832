import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import { plusDays } from '../core/time.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { centsField, namedObject, idField } from '../http/fields.ts';
import { lastPage } from '../http/page.ts';
import { isRefusal } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { alternatives, differencesOf, type CreatorDifference } from './attribution-alternatives.ts';
import { earnedByCreator, sumComparedOrders } from './attribution-alternatives-sql.ts';
import { dayField, parseDayRange, startOfUtcDay } from './day-range.ts';

const limits = { defaultDays: 30, daysMax: 366 };
const ordersMax = 50_000;
const rowsMax = 500;

const differenceJson = namedObject('CreatorAlternative', {
  alternative: T.Enum([...alternatives], {
    title: 'AttributionAlternative',
    description:
      'The other setting of the terms: codes before clicks, clicks before codes, returning customers stay with the first creator, or the creator of the new click or code earns',
  }),
  creator_id: T.String(),
  creator_name: T.String(),
  earned_cents: centsField('What the creator earned in the period, by all orders and invoices'),
  would_have_earned_cents: centsField('The same under the alternative'),
  orders_lost: T.Integer({ description: 'Orders that would have earned for another creator' }),
  lost_cents: centsField(),
  orders_gained: T.Integer({ description: 'Orders of other creators that would have earned for this one' }),
  gained_cents: centsField("At this creator's rate when the order happened"),
});

const reportJson = namedObject('AttributionAlternatives', {
  from: T.String(),
  to: T.String(),
  compared_orders: T.Integer({
    description: 'Orders of the period that had two creators. All other orders are the same under every setting',
  }),
  is_complete: T.Boolean({ description: `False: only the latest ${ordersMax} of these orders were read` }),
  data: T.Array(differenceJson, { description: `The largest differences first, at most ${rowsMax}` }),
  next_cursor: lastPage,
});

export const attributionAlternativesEndpoint = endpoint({
  summary: 'Report what creators would have earned under the other settings for codes and returning customers',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    {
      from: T.Optional(dayField('The first day, in UTC; by default the 30th day up to the last one')),
      to: T.Optional(dayField('The last day; today by default')),
      program_id: T.Optional(idField({ description: 'Only orders that earned in this program' })),
      creator_id: T.Optional(idField()),
    },
    { additionalProperties: false },
  ),
  reply: reportJson,
  async handle({ db, ids, query, now }) {
    const days = parseDayRange(query, now, limits);
    if (isRefusal(days)) return days;
    const { program_id: program, creator_id: creator } = query;
    const programId = program === undefined ? null : readPublicId('prog', program);
    const creatorId = creator === undefined ? null : readPublicId('crt', creator);
    const none = { ...days, compared_orders: 0, is_complete: true, data: [], next_cursor: null };
    if ((program !== undefined && programId === null) || (creator !== undefined && creatorId === null)) return none;
    const rows = await sumComparedOrders(db, {
      storeId: ids.store,
      from: startOfUtcDay(days.from),
      to: plusDays(startOfUtcDay(days.to), 1),
      programId,
      creatorId: creatorId && { id: creatorId, publicId: publicId('crt', creatorId) },
      ordersMax,
    });
    const compared = rows.flatMap((row) => {
      const otherId = readPublicId('crt', row.otherId);
      return otherId === null ? [] : [{ ...row, otherId }];
    });
    const count = rows.reduce((sum, { orders }) => sum + orders, 0n);
    const differences = differencesOf(compared)
      .filter(({ creatorId: of }) => creatorId === null || of === creatorId)
      .slice(0, rowsMax);
    const creatorIds = [...new Set(differences.map(({ creatorId: of }) => of))];
    const earned = new Map(
      (await earnedByCreator(db, { storeId: ids.store, programId, days, creatorIds })).map((of) => [of.creatorId, of.earnedCents]),
    );
    const names = await creatorNames(db, creatorIds);
    const show = (of: CreatorDifference) =>
      showDifference(of, { name: names.get(of.creatorId) ?? '', earned: earned.get(of.creatorId) ?? 0n });
    const isComplete = count < BigInt(ordersMax);
    return { ...days, compared_orders: Number(count), is_complete: isComplete, data: differences.map(show), next_cursor: null };
  },
});

type Beside = { readonly name: string; readonly earned: bigint };

function showDifference(of: CreatorDifference, { name, earned }: Beside): Static<typeof differenceJson> {
  return {
    alternative: of.alternative,
    creator_id: publicId('crt', of.creatorId),
    creator_name: name,
    earned_cents: earned,
    would_have_earned_cents: earned - of.lostCents + of.gainedCents,
    orders_lost: Number(of.ordersLost),
    lost_cents: of.lostCents,
    orders_gained: Number(of.ordersGained),
    gained_cents: of.gainedCents,
  };
}

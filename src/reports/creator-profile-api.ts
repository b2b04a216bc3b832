import { Type as T } from 'typebox';
import { commissionStates } from '../commissions/commission-states.ts';
import { listLinksOfCreator, listLinkTotals } from '../creators/creator-links-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { linkUrl, codeShape } from '../creators/links.ts';
import { answersOf, listMembershipsOfCreator, type Member } from '../creators/members-sql.ts';
import { memberStatuses } from '../creators/membership-states.ts';
import { answerJson } from '../merchants/question-shapes.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { termsOfPrograms } from '../merchants/terms-sql.ts';
import { termsInForce } from '../merchants/terms.ts';
import { readPayeeEligibility, type PayeeEligibility } from '../payouts/payee-eligibility.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { timeShape } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { auditEntryJson, loadAuditRenderer } from './audit-log-api.ts';
import { listCreatorDays, listCreatorHistory, listStateTotals, type CreatorKey } from './creator-profile-sql.ts';
import { dayField, parseDayRange } from './day-range.ts';
import { addSales, salesTotalsFields, showSales } from './sales-totals.ts';

const access = { allow: 'store', permission: 'store:read' } as const;
const ids = { creator: 'crt' } as const;
const defaultDays = 30;
const daysMax = 800;
/** A store has fewer programs than this, and a creator one membership in each. */
const membershipsMax = 1_000;
/** Counting all commissions of a large store would take as long as reading them. */
const commissionsMax = 100_000;

const profileJson = namedObject('CreatorProfile', {
  id: T.String(),
  name: T.String(),
  joined_at: T.String({ description: 'When the first membership or application in this store was created' }),
  can_be_paid: T.Boolean({ description: 'Whether the creator has a usable payout method and an active account; never says which' }),
  memberships: T.Array(
    T.Object({
      id: T.String(),
      program_id: T.String(),
      program_name: T.String(),
      program_status: T.Enum(['draft', 'published', 'paused']),
      status: T.Enum(memberStatuses),
      since: T.String({ description: 'When the status last changed' }),
      left_at: orNull(T.String({ description: 'When the creator left; null if the merchant ended the membership' })),
      created_at: T.String(),
      answers: T.Array(answerJson, { description: 'From the application' }),
      terms_version: orNull(T.Integer({ description: 'The version in force; null if the program has no terms' })),
    }),
  ),
  from: T.String(),
  to: T.String(),
  totals: T.Object(salesTotalsFields),
  days: T.Array(T.Object({ day: T.String(), ...salesTotalsFields }), { description: 'Only days with clicks or orders' }),
  commissions: T.Array(T.Object({ state: T.Enum(commissionStates), count: T.Integer(), amount_cents: centsField() }), {
    description: `By their current state: the latest ${commissionsMax}`,
  }),
});

export const getCreatorProfileEndpoint = endpoint({
  summary: 'Get a creator of the store: memberships, results over time, and commissions by state',
  access,
  ids,
  query: T.Object(
    {
      from: T.Optional(dayField(`The first day, in UTC; by default ${defaultDays} days up to the last one`)),
      to: T.Optional(dayField('The last day, in UTC; today by default')),
      days: T.Optional(
        T.Integer({
          minimum: 1,
          maximum: daysMax,
          description: `Without from: the number of days up to the last one; ${defaultDays} by default`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: profileJson,
  async handle({ db, ids: { store: storeId, creator: creatorId }, query, now }) {
    const range = parseDayRange(query, now, { defaultDays: query.days ?? defaultDays, daysMax });
    if (isRefusal(range)) return range;
    const key = { storeId, creatorId };
    const members = await membershipsOf(db, key);
    const [first] = members.toReversed();
    if (first === undefined) return notFound;
    const [creator, payee] = [await findCreator(db, creatorId), await readPayeeEligibility(db, creatorId)];
    invariant(creator !== null, 'creators are never deleted');
    const days = await listCreatorDays(db, key, range);
    return {
      id: publicId('crt', creatorId),
      name: creator.name,
      joined_at: isoTime(first.createdAt),
      can_be_paid: canBePaid(payee),
      memberships: await showMemberships(db, members, now),
      ...range,
      totals: showSales(addSales(days)),
      days: days.map(({ day, ...of }) => ({ day, ...showSales(of) })),
      commissions: (await listStateTotals(db, key, commissionsMax)).map(({ state, count, amountCents }) => ({
        state,
        count: Number(count),
        amount_cents: amountCents,
      })),
    };
  },
});

/** Newest first. Empty if the creator never applied to a program of the store, which then must not see them. */
const membershipsOf = (db: Queryable, { storeId, creatorId }: CreatorKey): Promise<Member[]> =>
  listMembershipsOfCreator(db, { creatorId, storeIds: [storeId] }, { after: null, limit: membershipsMax });

const isCreatorOfStore = async (db: Queryable, key: CreatorKey): Promise<boolean> => (await membershipsOf(db, key)).length > 0;

/** Risk holds are left out, because a merchant must not learn of an investigation. */
const canBePaid = ({ isSuspended, method }: PayeeEligibility): boolean => !isSuspended && method !== null && method.cameBackAt === null;

async function showMemberships(db: Queryable, members: readonly Member[], now: Date) {
  const [programs, terms] = [await programsByName(db, members), await termsOfPrograms(db, members)];
  const answers = await answersOf(db, members);
  return members.map((member) => {
    const program = programs.get(member.programId);
    invariant(program !== undefined, 'programs are never deleted');
    return {
      id: publicId('mem', member.memberId),
      program_id: publicId('prog', member.programId),
      program_name: program.name,
      program_status: program.status,
      status: member.status,
      since: isoTime(member.since),
      left_at: isoTimeOrNull(member.leftAt),
      created_at: isoTime(member.createdAt),
      answers: [...answers(member)],
      terms_version: termsInForce(terms.get(member.programId) ?? [], now)?.version ?? null,
    };
  });
}

const linkJson = namedObject('LinkOfCreator', {
  code: T.String(),
  url: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  destination_url: orNull(T.String({ description: 'Null for the landing page of the program' })),
  created_at: T.String(),
  clicks: salesTotalsFields.clicks,
  orders: salesTotalsFields.orders,
  earned_cents: salesTotalsFields.earned_cents,
});

export const listLinksOfCreatorEndpoint = listEndpoint({
  summary: "List a creator's links in the store with their results, newest first",
  access,
  ids,
  item: linkJson,
  exists: ({ db, ids: { store: storeId, creator: creatorId } }) => isCreatorOfStore(db, { storeId, creatorId }),
  rows: ({ db, ids: { store, creator } }, page) => listLinksOfCreator(db, { creatorId: creator, storeIds: [store], programId: null }, page),
  async renderer({ db, platform }, links) {
    const [programs, totals] = [await programsByName(db, links), await listLinkTotals(db, links)];
    return (link) => {
      const { clicks, orders, earnedCents } = totals(link);
      return {
        code: link.code,
        url: linkUrl(platform.config.baseUrl, link.code),
        program_id: publicId('prog', link.programId),
        program_name: programs.get(link.programId)?.name ?? '',
        destination_url: link.destinationUrl,
        created_at: isoTime(link.createdAt),
        clicks: Number(clicks),
        orders: Number(orders),
        earned_cents: earnedCents,
      };
    };
  },
  key: ({ createdAt, code }) => [String(createdAt.getTime()), code],
  keyShapes: [timeShape, new RegExp(codeShape)],
});

export const listCreatorHistoryEndpoint = listEndpoint({
  summary: 'List the audit entries about a creator in the store, newest first',
  access,
  ids,
  item: auditEntryJson,
  exists: ({ db, ids: { store: storeId, creator: creatorId } }) => isCreatorOfStore(db, { storeId, creatorId }),
  async rows({ db, ids: { store: storeId, creator: creatorId } }, page) {
    const members = await membershipsOf(db, { storeId, creatorId });
    const memberPaths = members.map(({ memberId }) => `/members/${publicId('mem', memberId)}`);
    return listCreatorHistory(db, { storeId, creatorId, publicCreatorId: publicId('crt', creatorId), memberPaths }, page);
  },
  renderer: ({ db }, rows) => loadAuditRenderer(db, rows),
  key: ({ auditEntryId }) => [auditEntryId],
});

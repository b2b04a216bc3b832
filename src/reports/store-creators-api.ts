import { memberStatuses } from '../creators/membership-states.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { creatorNames } from '../creators/creators-sql.ts';
import { groupsOfMembers } from '../creators/group-moves-sql.ts';
import { answersOf, type Member } from '../creators/members-sql.ts';
import { answerJson } from '../merchants/question-shapes.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import type { Queryable } from '../db/database.ts';
import { type Refusal } from '../http/responses.ts';
import { fieldColumns, type CsvColumn } from '../http/csv.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull, searchField, idField } from '../http/fields.ts';
import { pageFields, sortField } from '../http/page.ts';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { listMembersOfStore, listMemberTotals, memberSorts, type MemberFilter, type OpenRange } from './store-creators-sql.ts';
import { dayErrors, dayField, refuseDays } from './day-range.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';

const filterFields = {
  status: T.Optional(T.Enum([...memberStatuses])),
  program_id: T.Optional(idField()),
  creator_id: T.Optional(idField()),
  q: searchField('A part of the name, ignoring case, or the creator_id'),
  from: T.Optional(dayField('The first day of the results, in UTC; by default from the beginning')),
  to: T.Optional(dayField('The last day of the results, in UTC; today by default')),
};
type StoreCreatorsQuery = Static<typeof storeCreatorsQuery>;
const storeCreatorsQuery = T.Object(filterFields, { additionalProperties: false });

const creatorOfStore = namedObject('StoreCreator', {
  id: T.String({ description: 'The ID of the membership; a creator in two programs is listed twice' }),
  program_id: T.String(),
  program_name: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  status: T.Enum([...memberStatuses]),
  since: T.String({ description: 'When the status last changed' }),
  left_at: orNull(T.String({ description: 'When the creator left; null if the merchant ended the membership' })),
  created_at: T.String(),
  clicks: T.Integer({ description: 'Clicks by people, which can lead to an order' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  earned_cents: centsField('The commissions of these orders, without rejected and reversed ones'),
  answers: T.Array(answerJson, { description: 'From the application' }),
  group: T.Optional(T.Object({ id: T.String(), name: T.String() }, { description: 'Absent if the member is in no group' })),
});
type CreatorOfStore = Static<typeof creatorOfStore>;

/** Named as in JSON. Add new columns at the end, because spreadsheets refer to columns by position. */
const columns: ReadonlyArray<CsvColumn<CreatorOfStore>> = [
  ...fieldColumns('id', 'creator_id', 'creator_name', 'program_id', 'program_name', 'status', 'since', 'created_at', 'clicks'),
  ...fieldColumns('orders', 'revenue_cents', 'earned_cents'),
  { title: 'left_at', cell: ({ left_at: at }) => at ?? '' },
  { title: 'group_id', cell: ({ group }) => group?.id ?? '' },
  { title: 'group_name', cell: ({ group }) => group?.name ?? '' },
];

export const listCreatorsOfStoreEndpoint = sortedListEndpoint({
  summary: 'List the members and applicants of all programs with their results, newest first; as a file with Accept: text/csv',
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields, ...sortField(memberSorts) }, { additionalProperties: false }),
  item: creatorOfStore,
  readFilter: ({ query }) => parseQuery(query),
  rows: async ({ db, ids, filter: { filter, range } }, page) =>
    filter === null ? [] : listMembersOfStore(db, ids.store, { ...filter, range }, page),
  renderer: ({ db, ids, filter: { range } }, members) => loadRenderer(db, ids.store, members, range),
  sorts: memberSorts,
  csv: { name: 'creators.csv', columns },
});

/** `filter` is null if a given ID is not valid, so that nothing matches. */
type ParsedQuery = { readonly filter: MemberFilter | null; readonly range: OpenRange };

function parseQuery({ status, program_id: program, creator_id: creator, q, from, to }: StoreCreatorsQuery): ParsedQuery | Refusal {
  const errors = dayErrors({ from, to });
  if (errors.length > 0) return refuseDays(errors);
  const range = { from: from ?? null, to: to ?? null };
  const programId = program === undefined ? null : readPublicId('prog', program);
  const creatorId = creator === undefined ? null : readPublicId('crt', creator);
  if ((program !== undefined && programId === null) || (creator !== undefined && creatorId === null)) return { filter: null, range };
  return { filter: { status: status ?? null, programId, creatorId, search: q ?? null }, range };
}

/** Loads the related rows of a page. Names are separate queries, because creators may be stored on another machine. */
async function loadRenderer(
  db: Queryable,
  storeId: Id<'store'>,
  members: readonly Member[],
  range: OpenRange,
): Promise<(member: Member) => CreatorOfStore> {
  const [names, programs, answers, groups, sums] = await Promise.all([
    creatorNames(
      db,
      members.map(({ creatorId }) => creatorId),
    ),
    programsByName(db, members),
    answersOf(db, members),
    groupsOfMembers(db, members),
    listMemberTotals(
      db,
      storeId,
      members.map(({ memberId }) => memberId),
      range,
    ),
  ]);
  const sumsOf = new Map(sums.map((of) => [of.memberId, of]));
  return (member) => {
    const [name, program, of] = [names.get(member.creatorId), programs.get(member.programId), sumsOf.get(member.memberId)];
    const group = groups.get(member.memberId);
    invariant(name !== undefined && program !== undefined, 'creators and programs are never deleted');
    return {
      id: publicId('mem', member.memberId),
      program_id: publicId('prog', member.programId),
      program_name: program.name,
      creator_id: publicId('crt', member.creatorId),
      creator_name: name,
      status: member.status,
      since: isoTime(member.since),
      left_at: isoTimeOrNull(member.leftAt),
      created_at: isoTime(member.createdAt),
      clicks: Number(of?.clicks ?? 0n),
      orders: Number(of?.orders ?? 0n),
      revenue_cents: of?.revenueCents ?? 0n,
      earned_cents: of?.earnedCents ?? 0n,
      answers: [...answers(member)],
      ...(group === undefined ? {} : { group: { id: publicId('grp', group.groupId), name: group.name } }),
    };
  };
}

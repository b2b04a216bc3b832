import { Type as T, type Static } from 'typebox';
import { namesOfCreators } from '../creators/creators-sql.ts';
import type { Member } from '../creators/members-sql.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, type Refusal, type Sent } from '../platform/http/answers.ts';
import { csvDownload, everyPage, pagesInFile, type CsvColumn } from '../platform/http/csv.ts';
import { centsField, isoTime, isoTimeOrNull, orNull } from '../platform/http/fields.ts';
import { chooseType } from '../platform/http/media-type.ts';
import { pageFields, pageOf, pageReply, readPage, uuidShape, type PageQuery } from '../platform/http/page.ts';
import { publicId, readPublicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { membersOfStore, sumsOfMembers, type MemberFilter, type OpenRange } from './creators-of-store-sql.ts';
import { dayFaults, dayField, wrongDays } from './day-range.ts';

const idLengthMax = 40;
const beginningLengthMax = 100;
const statuses = ['applied', 'approved', 'paused', 'removed'] as const;

const filterFields = {
  status: T.Optional(T.Enum([...statuses])),
  program_id: T.Optional(T.String({ maxLength: idLengthMax })),
  creator_id: T.Optional(T.String({ maxLength: idLengthMax })),
  q: T.Optional(
    T.String({
      minLength: 1,
      maxLength: beginningLengthMax,
      pattern: String.raw`^[^\u0000\p{Cs}]*$`,
      description: 'How the name begins, in whatever case',
    }),
  ),
  from: T.Optional(dayField('The first day that the figures are of, in UTC; since the beginning')),
  to: T.Optional(dayField('The last day that the figures are of, in UTC; until now')),
};
type Asked = Static<typeof asked>;
const asked = T.Object(filterFields, { additionalProperties: false });

const creatorOfStore = T.Object({
  id: T.String({ description: 'Of the membership: who takes part in two programs is listed twice' }),
  program_id: T.String(),
  program_name: T.String(),
  creator_id: T.String(),
  creator_name: T.String(),
  status: T.Enum([...statuses]),
  since: T.String({ description: 'When the status became what it is' }),
  left_at: orNull(T.String({ description: 'When the creator left; null where the merchant ended the membership' })),
  created_at: T.String(),
  clicks: T.Integer({ description: 'Of people, which is what an order can come from' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  earned_cents: centsField('The commissions of these orders, without what was rejected or reversed since'),
});
type CreatorOfStore = Static<typeof creatorOfStore>;

export const listCreatorsOfStoreEndpoint = endpoint({
  summary: 'Who takes part in the programs of the store or asks to, newest first, with figures; as a file with Accept: text/csv',
  access: { who: 'store', permission: 'store:read' },
  query: T.Object({ ...pageFields, ...filterFields }, { additionalProperties: false }),
  files: ['text/csv'],
  reply: pageOf(creatorOfStore),
  async handle({ db, ids, query, request }) {
    const read = readAsked(query);
    if (isRefusal(read)) return read;
    if (chooseType(request.accept, ['application/json', 'text/csv']) === 'text/csv') return csvOf(db, ids.store, read, query);
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const members = read.filter === null ? [] : await membersOfStore(db, ids.store, read.filter, page);
    return pageReply(members, page, await showing(db, ids.store, members, read.range), positionOf);
  },
});

const positionOf = ({ memberId }: Member) => [memberId];

/** No filter: an id is asked for that is none, so nobody has it. */
type Read = { readonly filter: MemberFilter | null; readonly range: OpenRange };

function readAsked({ status, program_id: program, creator_id: creator, q, from, to }: Asked): Read | Refusal {
  const faults = dayFaults({ from, to });
  if (faults.length > 0) return wrongDays(faults);
  const range = { from: from ?? null, to: to ?? null };
  const programId = program === undefined ? null : readPublicId('prog', program);
  const creatorId = creator === undefined ? null : readPublicId('crt', creator);
  if ((program !== undefined && programId === null) || (creator !== undefined && creatorId === null)) return { filter: null, range };
  return { filter: { status: status ?? null, programId, creatorId, beginning: q ?? null }, range };
}

/** What a page shows beside its own rows, asked once for all of them: names are kept with the creators, perhaps on another machine. */
async function showing(
  db: Queryable,
  storeId: Id<'store'>,
  members: readonly Member[],
  range: OpenRange,
): Promise<(member: Member) => CreatorOfStore> {
  const [names, programs, sums] = await Promise.all([
    namesOfCreators(
      db,
      members.map(({ creatorId }) => creatorId),
    ),
    programsByName(db, members),
    sumsOfMembers(
      db,
      storeId,
      members.map(({ memberId }) => memberId),
      range,
    ),
  ]);
  const sumsOf = new Map(sums.map((of) => [of.memberId, of]));
  return (member) => {
    const [name, program, of] = [names.get(member.creatorId), programs.get(member.programId), sumsOf.get(member.memberId)];
    must(name !== undefined && program !== undefined, 'creators and programs are never deleted');
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
    };
  };
}

/** The columns of the file, named as in JSON. New ones come last: somebody's sheet counts them. */
const columns: ReadonlyArray<CsvColumn<CreatorOfStore>> = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'creator_id', cell: ({ creator_id: id }) => id },
  { title: 'creator_name', cell: ({ creator_name: name }) => name },
  { title: 'program_id', cell: ({ program_id: id }) => id },
  { title: 'program_name', cell: ({ program_name: name }) => name },
  { title: 'status', cell: ({ status }) => status },
  { title: 'since', cell: ({ since }) => since },
  { title: 'created_at', cell: ({ created_at: at }) => at },
  { title: 'clicks', cell: ({ clicks }) => clicks },
  { title: 'orders', cell: ({ orders }) => orders },
  { title: 'revenue_cents', cell: ({ revenue_cents: cents }) => cents },
  { title: 'earned_cents', cell: ({ earned_cents: cents }) => cents },
  { title: 'left_at', cell: ({ left_at: at }) => at ?? '' },
];

function csvOf(db: Queryable, storeId: Id<'store'>, { filter, range }: Read, query: PageQuery): Sent | Refusal {
  const refused = pagesInFile(query);
  if (refused !== null) return refused;
  const pages = everyPage(
    (page) => (filter === null ? Promise.resolve<Member[]>([]) : membersOfStore(db, storeId, filter, page)),
    positionOf,
  );
  return csvDownload('creators.csv', columns, shown(db, storeId, pages, range));
}

async function* shown(
  db: Queryable,
  storeId: Id<'store'>,
  pages: AsyncIterable<readonly Member[]>,
  range: OpenRange,
): AsyncGenerator<readonly CreatorOfStore[]> {
  for await (const members of pages) yield members.map(await showing(db, storeId, members, range));
}

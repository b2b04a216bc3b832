import type { MemberStatus } from '../creators/membership-states.ts';
import type { Member } from '../creators/members-sql.ts';
import { findCreatorsNamed } from '../creators/search-creators-sql.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { readPublicId, type Id } from '../core/ids.ts';

export type MemberFilter = {
  readonly status: MemberStatus | null;
  readonly programId: Id<'prog'> | null;
  readonly creatorId: Id<'crt'> | null;
  /** A part of the creator's name, ignoring case, or the creator's public ID. */
  readonly search: string | null;
};

const memberIdColumn: SortColumn<Member> = { expression: sql`m.member_id`, type: 'uuid', value: ({ memberId }) => memberId };

/** By the primary key, whose IDs grow with time. A sort by `since` reads all members of the store, at most thousands. */
export const memberSorts: ListSorts<Member> = {
  columns: { created_at: memberIdColumn, since: { expression: sql`m.since`, type: 'time', value: ({ since }) => since } },
  unique: memberIdColumn,
  defaultSort: '-created_at',
};

/** More creators with a text in their name are not searched for. */
const namedMax = 10_000;

/**
 * The members of all programs of a store. A store has at most thousands of members, so a name is
 * compared member by member: names are stored with the creators, so no index by store can contain them.
 */
export async function listMembersOfStore(
  db: Queryable,
  storeId: Id<'store'>,
  { status, programId, creatorId, search }: MemberFilter,
  { after, limit, order }: SortedPage<Member>,
): Promise<Member[]> {
  const found = search === null ? null : await findCreators(db, storeId, search);
  const matches = found === null ? emptySql : sql`and m.creator_id = any(${uuids(found)})`;
  return db.all(sql`
    select m.store_id, m.member_id, m.program_id, m.creator_id, m.status, m.since, m.left_at, m.created_at
    from members m
    where m.store_id = ${storeId} ${status === null ? emptySql : sql`and m.status = ${status}`}
      ${programId === null ? emptySql : sql`and m.program_id = ${programId}`}
      ${creatorId === null ? emptySql : sql`and m.creator_id = ${creatorId}`} ${matches}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);
}

async function findCreators(db: Queryable, storeId: Id<'store'>, search: string): Promise<ReadonlyArray<Id<'crt'>>> {
  const creatorId = readPublicId('crt', search);
  return creatorId === null ? findCreatorsNamed(db, { storeId, text: search, most: namedMax }) : [creatorId];
}

/** Days in UTC, inclusive; null is unbounded. */
export type OpenRange = { readonly from: string | null; readonly to: string | null };
export type MemberTotals = {
  readonly memberId: Id<'mem'>;
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
};

/** For the members of one page, by the index links_of_member, then each link's days by primary key: a few rows a day. */
export const listMemberTotals = (
  db: Queryable,
  storeId: Id<'store'>,
  memberIds: ReadonlyArray<Id<'mem'>>,
  { from, to }: OpenRange,
): Promise<MemberTotals[]> =>
  db.all(sql`
    select l.member_id, coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks,
      ${salesTotals}
    from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = ${storeId} and l.member_id = any(${uuids(memberIds)})
      ${from === null ? emptySql : sql`and d.day >= ${from}::date`} ${to === null ? emptySql : sql`and d.day <= ${to}::date`}
    group by l.member_id`);

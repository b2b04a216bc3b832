import type { MemberStatus } from '../creators/decide-member.ts';
import type { Member } from '../creators/members-sql.ts';
import { soldOfDays } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { beginningWith } from '../platform/database/like.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';

export type MemberFilter = {
  readonly status: MemberStatus | null;
  readonly programId: Id<'prog'> | null;
  readonly creatorId: Id<'crt'> | null;
  /** The beginning of the creator's name, in whatever case. */
  readonly beginning: string | null;
};

/**
 * The members of all programs of a store, newest first, by primary key backwards. A store has thousands of them at most: a name
 * is looked at member by member, because names are kept with the creators and no index of a store could know them.
 */
export const membersOfStore = (
  db: Queryable,
  storeId: Id<'store'>,
  { status, programId, creatorId, beginning }: MemberFilter,
  { after, limit }: Page,
): Promise<Member[]> => {
  const like = beginning === null ? null : beginningWith(beginning);
  return db.all(sql`
    select m.store_id, m.member_id, m.program_id, m.creator_id, m.status, m.since, m.left_at, m.created_at
    from members m ${like === null ? nothing : sql`join creators c on c.creator_id = m.creator_id and lower(c.name) like lower(${like})`}
    where m.store_id = ${storeId} ${status === null ? nothing : sql`and m.status = ${status}`}
      ${programId === null ? nothing : sql`and m.program_id = ${programId}`}
      ${creatorId === null ? nothing : sql`and m.creator_id = ${creatorId}`}
      ${after === null ? nothing : sql`and m.member_id < ${after[0]}`}
    order by m.member_id desc limit ${limit + 1}`);
};

/** Days in UTC, both included; null has no end on that side. */
export type OpenRange = { readonly from: string | null; readonly to: string | null };
export type MemberSums = {
  readonly memberId: Id<'mem'>;
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
};

/** Of the members of one page: by links_of_member, then the days of each link by primary key, some rows a day at most. */
export const sumsOfMembers = (
  db: Queryable,
  storeId: Id<'store'>,
  memberIds: ReadonlyArray<Id<'mem'>>,
  { from, to }: OpenRange,
): Promise<MemberSums[]> =>
  db.all(sql`
    select l.member_id, coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks,
      ${soldOfDays}
    from links l join link_days d on d.store_id = l.store_id and d.link_number = l.link_number
    where l.store_id = ${storeId} and l.member_id = any(${memberIds}::uuid[])
      ${from === null ? nothing : sql`and d.day >= ${from}::date`} ${to === null ? nothing : sql`and d.day <= ${to}::date`}
    group by l.member_id`);

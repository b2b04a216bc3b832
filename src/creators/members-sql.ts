import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { MemberStatus } from './decide-member.ts';

export type Member = {
  readonly storeId: Id<'store'>;
  readonly memberId: Id<'mem'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly status: MemberStatus;
  /** When the status became what it is. */
  readonly since: Date;
  /** When the creator left; null where they did not, or joined again. */
  readonly leftAt: Date | null;
  readonly createdAt: Date;
};

export type ProgramOfStore = Pick<Member, 'storeId' | 'programId'>;

const columns = sql`store_id, member_id, program_id, creator_id, status, since, left_at, created_at`;

/** Null where the creator is a member already, whatever became of the membership. */
export async function insertMember(db: Queryable, member: Omit<Member, 'leftAt'>): Promise<Member | null> {
  await db.run(sql`
    insert into creator_stores (creator_id, store_id) values (${member.creatorId}, ${member.storeId}) on conflict do nothing`);
  return db.find(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    values (${member.storeId}, ${member.memberId}, ${member.programId}, ${member.creatorId},
            ${member.status}, ${member.since}, ${member.createdAt})
    on conflict do nothing returning ${columns}`);
}

/** Newest first. */
export async function listMembers(db: Queryable, { storeId, programId }: ProgramOfStore, { after, limit }: Page): Promise<Member[]> {
  return db.all(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} ${after === null ? nothing : sql`and member_id < ${after[0]}`}
    order by member_id desc limit ${limit + 1}`);
}

type MemberOfProgram = ProgramOfStore & { readonly memberId: Id<'mem'> };

/** Changes of one member go one after the other. */
export async function lockMember(db: Queryable, { storeId, programId, memberId }: MemberOfProgram): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} and member_id = ${memberId} for no key update`);
}

type CreatorInProgram = ProgramOfStore & { readonly creatorId: Id<'crt'> };

/** By the unique key of creator and program. Locked, so that nobody is removed while a link is made for them. */
export async function lockMembership(db: Queryable, { storeId, programId, creatorId }: CreatorInProgram): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} for no key update`);
}

export async function setMemberStatus(
  db: Queryable,
  { storeId, memberId, status, since, leftAt }: Pick<Member, 'storeId' | 'memberId' | 'status' | 'since' | 'leftAt'>,
): Promise<Member> {
  return db.one(sql`
    update members set status = ${status}, since = ${since}, left_at = ${leftAt}
    where store_id = ${storeId} and member_id = ${memberId} returning ${columns}`);
}

/** Who promotes a store, whatever program: to be told something that concerns all of them, a stretch at a time. */
export const creatorsOfStore = (
  db: Queryable,
  storeId: Id<'store'>,
  { after, limit }: { readonly after: Id<'crt'> | null; readonly limit: number },
): Promise<Array<{ readonly creatorId: Id<'crt'>; readonly email: string }>> =>
  db.all(sql`
    select distinct c.creator_id, c.email from members m join creators c on c.creator_id = m.creator_id
    where m.store_id = ${storeId} and m.status in ('approved', 'paused') ${after === null ? nothing : sql`and m.creator_id > ${after}`}
    order by c.creator_id limit ${limit}`);

/** The stores that a creator is or was a member of, by the creator's own directory: few, beside what they sold. */
export async function storesOfCreator(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from creator_stores where creator_id = ${creatorId} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

/** By primary key of whichever of the creator's stores it is in. Locked like any change of a member. */
export const lockOwnMembership = (
  db: Queryable,
  { creatorId, storeIds, memberId }: OfCreator & { readonly memberId: Id<'mem'> },
): Promise<Member | null> =>
  db.find(sql`
    select ${columns} from members
    where store_id = any(${storeIds}::uuid[]) and member_id = ${memberId} and creator_id = ${creatorId} for no key update`);

type OfCreator = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** Newest first, by members_of_creator of each of the creator's stores. */
export const membershipsOfCreator = (db: Queryable, { creatorId, storeIds }: OfCreator, { after, limit }: Page): Promise<Member[]> =>
  db.all(sql`
    select ${columns} from members
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} ${after === null ? nothing : sql`and member_id < ${after[0]}`}
    order by member_id desc limit ${limit + 1}`);

export async function findMembership(db: Queryable, { storeId, programId, creatorId }: CreatorInProgram): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId}`);
}

/** Of a creator, in the stores of their directory; by members_of_creator. */
export async function countApplications(db: Queryable, creatorId: Id<'crt'>): Promise<number> {
  const storeIds = await storesOfCreator(db, creatorId);
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from members
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and status = 'applied'`);
  return Number(count);
}

import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import { invariant } from '../core/invariant.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { ApplicationAnswer } from '../merchants/question-shapes.ts';
import { findSuspendedAt, setSuspendedInStore } from './suspended-creators-sql.ts';
import { joinedStatuses, membershipTransitions, type MembershipEvent, type MemberStatus } from './membership-states.ts';

export type Member = {
  readonly storeId: Id<'store'>;
  readonly memberId: Id<'mem'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly status: MemberStatus;
  /** When the status last changed. */
  readonly since: Date;
  /** When the creator left; null if they did not, or joined again. */
  readonly leftAt: Date | null;
  readonly createdAt: Date;
};

export type ProgramKey = Pick<Member, 'storeId' | 'programId'>;

const columns = sql`store_id, member_id, program_id, creator_id, status, since, left_at, created_at`;

/** Null if the creator is or was a member. */
export async function insertMember(db: Queryable, member: Omit<Member, 'leftAt'>): Promise<Member | null> {
  await db.run(sql`
    insert into creator_stores (creator_id, store_id) values (${member.creatorId}, ${member.storeId}) on conflict do nothing`);
  const suspendedAt = await findSuspendedAt(db, member.creatorId);
  if (suspendedAt !== null) await setSuspendedInStore(db, member, suspendedAt);
  return db.find(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    values (${member.storeId}, ${member.memberId}, ${member.programId}, ${member.creatorId},
            ${member.status}, ${member.since}, ${member.createdAt})
    on conflict do nothing returning ${columns}`);
}

/** Newest first. */
export async function listMembers(db: Queryable, { storeId, programId }: ProgramKey, { after, limit }: Page): Promise<Member[]> {
  return db.all(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} ${after === null ? emptySql : sql`and member_id < ${after[0]}`}
    order by member_id desc limit ${limit + 1}`);
}

type MemberKey = ProgramKey & { readonly memberId: Id<'mem'> };

/** Serializes changes of one member. */
export async function lockMember(db: Queryable, { storeId, programId, memberId }: MemberKey): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} and member_id = ${memberId} for no key update`);
}

export const setAnswers = (
  db: Queryable,
  { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>,
  answers: readonly ApplicationAnswer[],
): Promise<number> =>
  db.run(sql`update members set answers = ${JSON.stringify(answers)}::jsonb where store_id = ${storeId} and member_id = ${memberId}`);

/** By primary key, for the members of one page. */
export async function answersOf(
  db: Queryable,
  members: ReadonlyArray<Pick<Member, 'storeId' | 'memberId'>>,
): Promise<(member: Pick<Member, 'memberId'>) => readonly ApplicationAnswer[]> {
  const rows = await queryByStore(members, (storeId, ofStore) =>
    db.all<Pick<Member, 'memberId'> & { readonly answers: readonly ApplicationAnswer[] }>(sql`
      select member_id, answers from members
      where store_id = ${storeId} and member_id = any(${uuids(ofStore.map(({ memberId }) => memberId))})`),
  );
  const byMember = new Map(rows.map(({ memberId, answers }) => [memberId, answers]));
  return ({ memberId }) => byMember.get(memberId) ?? [];
}

type MembershipKey = ProgramKey & { readonly creatorId: Id<'crt'> };

/** By the unique key of creator and program. The lock keeps the member from being removed while a link is created. */
export async function lockMembership(db: Queryable, { storeId, programId, creatorId }: MembershipKey): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members
    where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId} for no key update`);
}

/** By the unique index members_by_leaderboard_name. The lock of the program keeps two members from taking one name. */
export async function isLeaderboardNameTaken(db: Queryable, { storeId, programId, memberId }: MemberKey, name: string): Promise<boolean> {
  const other = await db.find(sql`
    select 1 as one from members
    where store_id = ${storeId} and program_id = ${programId} and lower(leaderboard_name) = lower(${name}) and member_id <> ${memberId}`);
  return other !== null;
}

/** Null: the member does not appear on the program's leaderboard. A choice of their own ends the notice of a removed name. */
export const setLeaderboardName = (
  db: Queryable,
  { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>,
  name: string | null,
): Promise<number> =>
  db.run(sql`
    update members set leaderboard_name = ${name}, leaderboard_removed_at = null
    where store_id = ${storeId} and member_id = ${memberId}`);

/** The link under which the member's bonuses count. The caller has locked the member. */
export async function findBonusLink(db: Queryable, { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>): Promise<bigint | null> {
  const row = await db.find<{ bonusLink: bigint | null }>(sql`
    select bonus_link from members where store_id = ${storeId} and member_id = ${memberId}`);
  return row?.bonusLink ?? null;
}

export const setBonusLink = (
  db: Queryable,
  { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>,
  linkNumber: bigint,
): Promise<number> => db.run(sql`update members set bonus_link = ${linkNumber} where store_id = ${storeId} and member_id = ${memberId}`);

/** Whether the merchant removed this name from the leaderboard, in any capitalization. */
export async function wasLeaderboardNameRemoved(db: Queryable, { storeId, memberId }: MemberKey, name: string): Promise<boolean> {
  const member = await db.find(sql`
    select 1 as one from members
    where store_id = ${storeId} and member_id = ${memberId} and lower(leaderboard_removed_name) = lower(${name})`);
  return member !== null;
}

/** Returns 0 if the member does not appear. */
export const removeLeaderboardName = (db: Queryable, { storeId, programId, memberId }: MemberKey, at: Date): Promise<number> =>
  db.run(sql`
    update members set leaderboard_name = null, leaderboard_removed_name = leaderboard_name, leaderboard_removed_at = ${at}
    where store_id = ${storeId} and program_id = ${programId} and member_id = ${memberId} and leaderboard_name is not null`);

/**
 * Changes the status of a locked member, as the table of transitions allows. Who is no longer a member no longer chooses to appear on the
 * leaderboard.
 */
export async function transitionMember(
  db: Queryable,
  { storeId, memberId }: Pick<Member, 'storeId' | 'memberId'>,
  { event, at }: { readonly event: MembershipEvent; readonly at: Date },
): Promise<Member> {
  const transition = membershipTransitions[event];
  const member = await db.find<Member>(sql`
    update members set status = ${stateAfterSql(transition)}, since = ${at}, left_at = ${event === 'leave' ? at : null}
      ${transition.to === 'removed' ? sql`, leaderboard_name = null` : emptySql}
    where store_id = ${storeId} and member_id = ${memberId} and ${inStates(transition.from, sql`status`)} returning ${columns}`);
  invariant(member !== null, 'a locked member is still in the state that the decision was based on');
  return member;
}

/** The links of an erased creator no longer earn. */
export const removeFromAllPrograms = (db: Queryable, { creatorId, storeIds, at }: CreatorStores & { readonly at: Date }): Promise<number> =>
  db.run(sql`
    update members set status = ${stateAfterSql(membershipTransitions.erase)}, since = ${at}
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}
      and ${inStates(membershipTransitions.erase.from, sql`status`)}`);

/** The answers to a program's questions, and the name on its leaderboard. */
export const eraseMemberTexts = (db: Queryable, { creatorId, storeIds }: CreatorStores): Promise<number> =>
  db.run(sql`
    update members set answers = '[]', leaderboard_name = null, leaderboard_removed_name = null
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}`);

/** The approved and paused members of all programs, one page at a time, for announcements. */
export async function listCreatorsOfStore(
  db: Queryable,
  storeId: Id<'store'>,
  { after, limit }: { readonly after: Id<'crt'> | null; readonly limit: number },
): Promise<Array<{ readonly creatorId: Id<'crt'>; readonly email: string }>> {
  const joined = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select distinct creator_id from members
    where store_id = ${storeId} and ${inStates(joinedStatuses, sql`status`)} ${after === null ? emptySql : sql`and creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return db.all(sql`
    select creator_id, email from creators where creator_id = any(${uuids(joined.map(({ creatorId }) => creatorId))}) order by creator_id`);
}

/** The stores that a creator is or was a member of, from the creator's directory. */
export async function listStoresOfCreator(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from creator_stores where creator_id = ${creatorId} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

/** By primary key in each of the creator's stores. */
export const findOwnMembership = (
  db: Queryable,
  { creatorId, storeIds, memberId }: CreatorStores & { readonly memberId: Id<'mem'> },
): Promise<Member | null> =>
  db.find(sql`
    select ${columns} from members where store_id = any(${uuids(storeIds)}) and member_id = ${memberId} and creator_id = ${creatorId}`);

/** Locked by its store, because a cluster locks rows on one machine. */
export async function lockOwnMembership(db: Queryable, of: CreatorStores & { readonly memberId: Id<'mem'> }): Promise<Member | null> {
  const found = await findOwnMembership(db, of);
  return found === null ? null : lockMember(db, found);
}

type CreatorStores = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** Newest first, by the index members_of_creator of each store. */
export const listMembershipsOfCreator = (
  db: Queryable,
  { creatorId, storeIds }: CreatorStores,
  { after, limit }: Page,
): Promise<Member[]> =>
  db.all(sql`
    select ${columns} from members
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} ${after === null ? emptySql : sql`and member_id < ${after[0]}`}
    order by member_id desc limit ${limit + 1}`);

export const findMember = (db: Queryable, { storeId, programId, memberId }: MemberKey): Promise<Member | null> =>
  db.find(sql`select ${columns} from members where store_id = ${storeId} and program_id = ${programId} and member_id = ${memberId}`);

export async function findMembership(db: Queryable, { storeId, programId, creatorId }: MembershipKey): Promise<Member | null> {
  return db.find(sql`
    select ${columns} from members where store_id = ${storeId} and program_id = ${programId} and creator_id = ${creatorId}`);
}

/** By the index members_of_creator of each store. */
export async function countApplications(db: Queryable, creatorId: Id<'crt'>): Promise<number> {
  const storeIds = await listStoresOfCreator(db, creatorId);
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from members
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and status = 'applied'`);
  return Number(count);
}

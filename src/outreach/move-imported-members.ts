import { Type as T } from 'typebox';
import { publicId, type Id } from '../core/ids.ts';
import { findLastMove } from '../creators/group-moves-sql.ts';
import { findMembership, type Member } from '../creators/members-sql.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import { moveMember } from '../creators/move-member.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, type Refusal } from '../http/responses.ts';
import { auditActorOf, recordAuditEntry, type AuditActor } from '../people/audit.ts';
import { endpoint } from '../people/endpoint.ts';
import { findUserByEmail } from '../people/users-sql.ts';
import {
  countRowsOfOtherGroups,
  listRowsOfOtherGroups,
  lockImport,
  settleImportRow,
  type ImportKey,
  type StoredImportRow,
} from './imports-sql.ts';

/** One transaction. */
const movedAtOnceMax = 200;

type OfRow = Pick<StoredImportRow, 'email' | 'programId' | 'groupId'> & { readonly storeId: Id<'store'> };

/** The member of the program that a row is about. Null: no member, or not any more. */
async function memberOfRow(db: Queryable, { storeId, email, programId }: OfRow): Promise<Member | null> {
  if (email === null || programId === null) return null;
  const user = await findUserByEmail(db, email);
  const member = user?.creatorId ? await findMembership(db, { storeId, programId, creatorId: user.creatorId }) : null;
  return member !== null && joinedStatuses.some((status) => status === member.status) ? member : null;
}

/** Whether the file names a group for a member who is not in it. */
export async function isInOtherGroup(db: Queryable, row: OfRow): Promise<boolean> {
  if (row.groupId === null) return false;
  const member = await memberOfRow(db, row);
  return member !== null && ((await findLastMove(db, member))?.groupId ?? null) !== row.groupId;
}

type Moving = { readonly at: Date; readonly by: AuditActor };

/** Moves the members of the next rows into the groups of the file, and records each move as if it were made one by one. */
async function moveNextMembers(db: Queryable, key: ImportKey, { at, by }: Moving): Promise<number | Refusal> {
  const { storeId } = key;
  let moved = 0;
  for (const row of await listRowsOfOtherGroups(db, key, movedAtOnceMax)) {
    const member = await memberOfRow(db, { storeId, ...row });
    const settle = (reason: string) => settleImportRow(db, { ...key, ...row, state: 'skipped', reason });
    if (member === null || row.groupId === null) {
      await settle('no_longer_member');
      continue;
    }
    const groupId = publicId('grp', row.groupId);
    const done = await moveMember(db, { ...member, groupId, at });
    if (isRefusal(done)) return done;
    await settle('moved_to_group');
    const path = `programs/${publicId('prog', member.programId)}/members/${publicId('mem', member.memberId)}/group`;
    const subject = `/api/v1/stores/${publicId('store', storeId)}/${path}`;
    await recordAuditEntry(db, { ...by, storeId, creatorId: null, action: 'member.group', subject, details: { group_id: groupId } });
    moved += 1;
  }
  return moved;
}

export const moveImportedMembersEndpoint = endpoint({
  summary: `Move members who are in another group than their row of an import into its group, at most ${movedAtOnceMax} per request`,
  access: { allow: 'store', permission: 'programs:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { import: 'imp' },
  reply: T.Object({ moved: T.Integer(), remaining: T.Integer({ description: 'Repeat the request until it is 0' }) }),
  audit: 'creator_import.move_members',
  async handle({ platform, db, ids: { store: storeId, import: importId }, identity, request, now }) {
    const key = { storeId, importId };
    if ((await lockImport(db, key)) === null) return notFound;
    const moved = await moveNextMembers(db, key, { at: now, by: auditActorOf({ platform, now, identity, request }) });
    return isRefusal(moved) ? moved : { moved, remaining: await countRowsOfOtherGroups(db, key) };
  },
});

import { readPublicId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import { findGroup } from '../merchants/member-groups-sql.ts';
import { apiMessage } from '../messages/api-message.ts';
import { findLastMove, insertMove } from './group-moves-sql.ts';
import { lockMember } from './members-sql.ts';

const movesMax = 1_000;

type GroupMoveRequest = {
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly memberId: Id<'mem'>;
  /** The public ID of a group; null: none. */
  readonly groupId: string | null;
  readonly at: Date;
};

/** Moves a member into a group, or out of one, from now on. Recorded orders keep the rates of their time. */
export async function moveMember(
  db: Queryable,
  { groupId: text, at, ...of }: GroupMoveRequest,
): Promise<{ readonly groupId: Id<'grp'> | null } | Refusal> {
  if ((await lockMember(db, of)) === null) return notFound;
  const groupId = text === null ? null : readPublicId('grp', text);
  if (text !== null && (groupId === null || (await findGroup(db, { ...of, groupId })) === null))
    return refuse('unprocessable', apiMessage('member_groups.invalid'), [
      { field: 'group_id', message: apiMessage('decide_terms.not_group_of_program') },
    ]);
  const last = await findLastMove(db, of);
  if ((last?.groupId ?? null) !== groupId) {
    const number = (last?.number ?? 0) + 1;
    if (number > movesMax) return refuse('limit_reached', apiMessage('member_groups.moves_at_most', { movesMax }));
    await insertMove(db, { storeId: of.storeId, memberId: of.memberId, number, groupId, movedAt: at });
  }
  return { groupId };
}

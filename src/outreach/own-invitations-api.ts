import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { publicId, newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { realNow } from '../core/time.ts';
import { insertNote } from '../creators/creator-notes-sql.ts';
import { becomeCreator } from '../creators/create-creator.ts';
import { lockCreator } from '../creators/creators-sql.ts';
import { insertMember, lockMembership, transitionMember, type Member } from '../creators/members-sql.ts';
import { memberStatuses } from '../creators/membership-states.ts';
import { moveMember } from '../creators/move-member.ts';
import { isOpenToCreators } from '../creators/open-programs.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { findProgram, programsByName } from '../merchants/programs-sql.ts';
import { findStore, storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { getUser, type User } from '../people/users-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { decideAcceptance } from './decide-invitation.ts';
import { endInvitation, listInvitationsTo, lockInvitationTo, type ProgramInvitation } from './invitations-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const access = { allow: 'person' } as const;
const ids = { invitation: 'pinv' } as const;

const ownInvitationJson = namedObject('OwnProgramInvitation', {
  id: T.String(),
  program_id: T.String(),
  program_name: T.String(),
  store_id: T.String(),
  store_name: T.String(),
  message: orNull(T.String({ description: 'The message of the merchant' })),
  sent_at: T.String(),
  expires_at: T.String(),
});

export const listOwnInvitationsEndpoint = listEndpoint({
  summary: 'List the open invitations to programs that were sent to my email address, newest first',
  access,
  item: ownInvitationJson,
  rows: async ({ db, identity: { by } }, page) => {
    const { email } = await getUser(db, by.userId);
    return listInvitationsTo(db, { email, now: realNow() }, page);
  },
  async renderer({ db }, rows) {
    const programs = await programsByName(db, rows);
    const stores = await storesById(
      db,
      rows.map(({ storeId }) => storeId),
    );
    return (row): Static<typeof ownInvitationJson> => ({
      id: publicId('pinv', row.invitationId),
      program_id: publicId('prog', row.programId),
      program_name: programs.get(row.programId)?.name ?? '',
      store_id: publicId('store', row.storeId),
      store_name: stores.get(row.storeId)?.name ?? '',
      message: row.message,
      sent_at: isoTime(row.sentAt),
      expires_at: isoTime(row.expiresAt),
    });
  },
  key: ({ invitationId }) => [invitationId],
});

export const acceptInvitationEndpoint = endpoint({
  summary: 'Accept an invitation to a program; it makes me a creator if I am none yet, and an approved member',
  access,
  ids,
  reply: T.Object({ creator_id: T.String(), member_id: T.String(), program_id: T.String(), status: T.Enum(memberStatuses) }),
  audit: 'creator_invitation.accept',
  async handle({ platform, db, ids: path, identity: { by }, now }) {
    const user = await getUser(db, by.userId);
    const invitation = await lockInvitationTo(db, { email: user.email, invitationId: path.invitation, now: realNow() });
    if (invitation === null) return notFound;
    const creatorId = await creatorOf(db, platform, { user, at: now });
    if (isRefusal(creatorId)) return creatorId;
    const member = await joinByInvitation(db, { invitation, creatorId, at: now });
    if (isRefusal(member)) return member;
    await endInvitation(db, { invitationId: invitation.invitationId, event: 'accept', at: realNow(), creatorId });
    await keepNote(db, { invitation, creatorId, at: now });
    return {
      creator_id: publicId('crt', creatorId),
      member_id: publicId('mem', member.memberId),
      program_id: publicId('prog', member.programId),
      status: member.status,
    };
  },
});

async function creatorOf(
  db: Queryable,
  { config }: Platform,
  { user: { userId, name, email, creatorId }, at }: { readonly user: User; readonly at: Date },
): Promise<Id<'crt'> | Refusal> {
  if (creatorId !== null) return creatorId;
  const sandboxMethod = config.mode === 'sandbox' ? 'ok' : null;
  const creator = await becomeCreator(db, { userId, name, email, sandboxMethod, at });
  return isRefusal(creator) ? creator : creator.creatorId;
}

type Joining = { readonly invitation: ProgramInvitation; readonly creatorId: Id<'crt'>; readonly at: Date };

/** Locks the creator first, like an application. A former membership is reused, because the creator's links belong to it. */
async function joinByInvitation(db: Queryable, { invitation, creatorId, at }: Joining): Promise<Member | Refusal> {
  const { storeId, programId } = invitation;
  const creator = await lockCreator(db, creatorId);
  const [program, store] = [await findProgram(db, { storeId, programId }), await findStore(db, storeId)];
  invariant(program !== null && store !== null, 'programs and stores are never deleted');
  const former = await lockMembership(db, { storeId, programId, creatorId });
  const decision = decideAcceptance({
    isOpen: isOpenToCreators({ status: program.status, store }),
    isSuspended: creator.suspendedAt !== null,
    member: former?.status ?? null,
  });
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  if (former !== null && decision.do === 'keep') return former;
  const joined =
    former === null
      ? await addByInvitation(db, { storeId, programId, creatorId, at })
      : await transitionMember(db, former, { event: 'approve', at });
  return isRefusal(joined) ? joined : joinGroup(db, joined, { invitation, at });
}

type NewMember = Pick<Member, 'storeId' | 'programId' | 'creatorId'> & { readonly at: Date };

async function addByInvitation(db: Queryable, { storeId, programId, creatorId, at }: NewMember): Promise<Member | Refusal> {
  const member = { memberId: newId<'mem'>(at), storeId, programId, creatorId, status: 'approved', since: at, createdAt: at } as const;
  return (await insertMember(db, member)) ?? refuse('conflict', apiMessage('own_invitations_api.you_applied_program_at_same'));
}

/** A person who is a member already keeps their group, which the merchant may have chosen since. */
async function joinGroup(
  db: Queryable,
  member: Member,
  { invitation: { groupId }, at }: Pick<Joining, 'invitation' | 'at'>,
): Promise<Member | Refusal> {
  if (groupId === null) return member;
  const moved = await moveMember(db, { ...member, groupId: publicId('grp', groupId), at });
  return isRefusal(moved) ? moved : member;
}

/** What the merchant wrote down with the invitation becomes a note about the creator. */
async function keepNote(db: Queryable, { invitation: { storeId, note, madeBy, madeByName }, creatorId, at }: Joining): Promise<void> {
  if (note === null) return;
  await insertNote(db, {
    storeId,
    creatorId,
    noteId: newId<'note'>(at),
    text: note,
    author: madeBy,
    authorName: madeByName,
    createdAt: at,
  });
}

export const declineInvitationEndpoint = endpoint({
  summary: 'Decline an invitation to a program',
  access,
  ids,
  status: 204,
  audit: 'creator_invitation.decline',
  async handle({ db, ids: path, identity: { by } }) {
    const { email } = await getUser(db, by.userId);
    const invitation = await lockInvitationTo(db, { email, invitationId: path.invitation, now: realNow() });
    if (invitation === null) return notFound;
    await endInvitation(db, { invitationId: invitation.invitationId, event: 'decline', at: realNow() });
    return undefined;
  },
});

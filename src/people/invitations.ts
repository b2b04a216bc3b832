import { enqueueEmail } from './enqueue-email.ts';
import { invitationEmail, type InvitationTarget } from '../notify/account-emails.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal, notFound } from '../http/responses.ts';
import { newId, type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { isPerson, type Identity, type Rights } from './identity.ts';
import { defaultLanguage } from '../../locales/languages.ts';
import {
  insertInvitation,
  markInvitationAccepted,
  listOpenInvitations,
  withdrawInvitationsTo,
  type InvitationRow,
  listOpenInvitationsBy,
  withdrawInvitations,
  withdrawInvitation,
} from './invitations-sql.ts';
import { createLink } from './one-time-links.ts';
import { joinOperators } from './operators.ts';
import { storeIdOf, type Party, partyOf } from './party.ts';
import { type Role, roles } from './permissions.ts';
import { insertRole, listRolesOf } from './team-sql.ts';
import { updateCreator, findUser, getUser } from './users-sql.ts';
import type { Config } from '../core/config.ts';
import { recordAuditEntry, type AuditActor } from './audit.ts';
import { mayGrant, actsAsOperator } from './decide-rights.ts';
import { rightsOf, findResponsibleUser } from './identify.ts';
import { lockUserShared } from './api-keys-sql.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { timeField } from './fields.ts';
import { apiMessage } from '../messages/api-message.ts';

export const invitationDays = 7;
export const openInvitationsMax = 50;

export type Invitation = {
  readonly email: string;
  readonly party: Party;
  /** The person's role in the store's team; null for other invitations. */
  readonly role: Role | null;
  readonly invitedBy: Id<'user'> | null;
  /** The name in the email. */
  readonly inviterName: string;
  readonly requestedBy: Identity;
};

/** Sends a link to join. One address has one open invitation: a second replaces the first. */
export async function invite(db: Queryable, platform: Platform, invitation: Invitation): Promise<InvitationRow | Refusal> {
  const { email, party, role, invitedBy, inviterName, requestedBy } = invitation;
  const now = realNow();
  await withdrawInvitationsTo(db, { party, email, now });
  if ((await listOpenInvitations(db, { party, now })).length >= openInvitationsMax) {
    return refuse('limit_reached', apiMessage('invitations.there_can_at_most_open', { openInvitationsMax }));
  }
  const invitationId = newId<'invite'>(now);
  const expiresAt = plusDays(now, invitationDays);
  await insertInvitation(db, { invitationId, email, party, role, invitedBy, now, expiresAt });
  const url = await createLink(db, platform, { for: 'invitation', invitationId }, { expiresAt, requestedBy });
  const content = invitationEmail({ invited: invitationTarget(party, role), by: inviterName, url, days: invitationDays });
  const languageWithoutAccount = isPerson(requestedBy) ? (await getUser(db, requestedBy.by.userId)).language : defaultLanguage;
  await enqueueEmail(db, platform.secrets, { to: email, content, storeId: storeIdOf(party), languageWithoutAccount });
  const storeId = storeIdOf(party);
  return {
    invitationId,
    email,
    kind: party.is,
    storeId,
    creatorId: party.is === 'creator' ? party.creatorId : null,
    role,
    invitedBy,
    madeAt: now,
    expiresAt,
  };
}

/** Runs in the transaction that uses the link. */
export async function acceptInvitation(
  db: Queryable,
  platform: Platform,
  { invitation, userId }: { readonly invitation: InvitationRow; readonly userId: Id<'user'> },
): Promise<Refusal | null> {
  const now = realNow();
  if (!(await canInviterStillInvite(db, platform.config.mode, invitation))) return linkExpired;
  if ((await markInvitationAccepted(db, { invitationId: invitation.invitationId, now })) === 0) return linkExpired;
  const { kind, storeId, role, creatorId } = invitation;
  switch (kind) {
    case 'store':
      invariant(storeId !== null && role !== null, 'an invitation to a store has a store ID and a role');
      await insertRole(db, { userId, storeId, role, now });
      return null;
    case 'operator':
      await joinOperators(db, platform, { invitationId: invitation.invitationId, userId });
      return null;
    case 'creator': {
      invariant(creatorId !== null, 'an invitation to a creator has a creator ID');
      if ((await updateCreator(db, { userId, creatorId })) === 1) return null;
      return refuse('conflict', apiMessage('invitations.creator_already_has_user_account'));
    }
  }
}

export const linkExpired = refuse('link_used_or_expired', apiMessage('invitations.link_already_used_or_has'));

function invitationTarget(party: Party, role: Role | null): InvitationTarget {
  switch (party.is) {
    case 'operator':
      return { to: 'operators' };
    case 'creator':
      return { to: 'creator account' };
    case 'store':
      invariant(role !== null, 'an invitation to a store has a role');
      return { to: 'store', role };
  }
}

/** Whether a person with these rights could send the invitation now. */
export function mayInvite(rights: Rights, invitation: Pick<InvitationRow, 'kind' | 'storeId' | 'creatorId' | 'role'>): boolean {
  if (rights.isOperator) return true;
  const { storeId, role } = invitation;
  if (invitation.kind !== 'store' || storeId === null || role === null) return false;
  return rights.stores.get(storeId)?.has('team:write') === true && mayGrant(rights, partyOf(invitation), roles[role]);
}

/**
 * Checked again when the invitation is accepted, because the inviter may have lost the rights in the meantime. The inviter is locked, so
 * that a demotion runs before or after this. An invitation from an erased account is not valid.
 */
export async function canInviterStillInvite(db: Queryable, mode: Config['mode'], invitation: InvitationRow): Promise<boolean> {
  if (invitation.invitedBy === null) return false;
  await lockUserShared(db, invitation.invitedBy);
  return mayInvite(await currentRightsOf(db, mode, invitation.invitedBy), invitation);
}

type RightsChange = { readonly userId: Id<'user'>; readonly mode: Config['mode']; readonly by: AuditActor };

/** Withdraws the invitations that a person whose rights have changed could no longer send, with an audit entry in each store. */
export async function withdrawInvitationsBeyondRights(db: Queryable, { userId, mode, by }: RightsChange, now: Date): Promise<void> {
  const open = await listOpenInvitationsBy(db, { invitedBy: userId, now });
  if (open.length === 0) return;
  const rights = await currentRightsOf(db, mode, userId);
  const beyond = open.filter((invitation) => !mayInvite(rights, invitation));
  await withdrawInvitations(db, { invitationIds: beyond.map(({ invitationId }) => invitationId), now });
  for (const { kind, invitationId, storeId, creatorId } of beyond) {
    const place = storeId === null ? '/operator-invitations' : `/stores/${publicId('store', storeId)}/invitations`;
    await recordAuditEntry(db, {
      ...by,
      storeId,
      creatorId,
      action: kind === 'store' ? 'team.invitation_withdrawn' : `${kind}.invitation_withdrawn`,
      subject: `/api/v1${place}/${publicId('invite', invitationId)}`,
      details: { invited_by: publicId('user', userId) },
    });
  }
}

async function currentRightsOf(db: Queryable, mode: Config['mode'], userId: Id<'user'>): Promise<Rights> {
  const user = await findUser(db, userId);
  if (user === null) return rightsOf({ isOperator: false, creatorId: null, roles: [] });
  const isOperator = actsAsOperator({ isOperator: user.isOperator, hasSecondFactor: user.totpConfirmedAt !== null }, mode);
  return rightsOf({ isOperator, creatorId: user.creatorId, roles: await listRolesOf(db, userId) });
}

/** Shared by the operations on invitations to a store, to the operators, and to a creator. */
export const invitationReply = namedObject('Invitation', {
  id: T.String(),
  email: T.String(),
  role: orNull(T.String()),
  made_at: timeField,
  expires_at: timeField,
});

export const toInvitationReply = ({ invitationId, email, role, madeAt, expiresAt }: InvitationRow): Static<typeof invitationReply> => ({
  id: publicId('invite', invitationId),
  email,
  role,
  made_at: isoTime(madeAt),
  expires_at: isoTime(expiresAt),
});

export async function listInvitations(db: Queryable, party: Party) {
  const invitations = await listOpenInvitations(db, { party, now: realNow() });
  return { data: invitations.map(toInvitationReply), next_cursor: null };
}

export async function withdrawOpenInvitation(db: Queryable, party: Party, invitationId: Id<'invite'>): Promise<Refusal | undefined> {
  return (await withdrawInvitation(db, { party, invitationId, now: realNow() })) === 0 ? notFound : undefined;
}

/** An invitation that a key sends belongs to the key's creator: it ends with the rights of that person. */
export const inviterOf = async (db: Queryable, identity: Identity) => ({
  invitedBy: await findResponsibleUser(db, identity),
  inviterName: identity.name,
  requestedBy: identity,
});

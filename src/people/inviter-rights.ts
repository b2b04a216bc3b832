import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import { recordAuditEntry } from './audit.ts';
import { mayGrant } from './decide-grant.ts';
import type { AuditActor } from './ended-keys.ts';
import { rightsOf } from './identify.ts';
import type { Rights } from './identity.ts';
import { listOpenInvitationsBy, withdrawInvitations, type InvitationRow } from './invitations-sql.ts';
import { lockUserShared } from './keys-sql.ts';
import { actsAsOperator } from './operator-factor.ts';
import { partyOf } from './party.ts';
import { roles } from './permissions.ts';
import { listRolesOf } from './team-sql.ts';
import { findUser } from './users-sql.ts';

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
export async function inviterMayStillInvite(db: Queryable, mode: Config['mode'], invitation: InvitationRow): Promise<boolean> {
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

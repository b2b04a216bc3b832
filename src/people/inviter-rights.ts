import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { keepAudit } from './audit.ts';
import { mayGrant } from './decide-grant.ts';
import type { ByWhom } from './ended-keys.ts';
import { rightsOf } from './identify.ts';
import type { Rights } from './identity.ts';
import { openInvitationsBy, withdrawInvitations, type InvitationRow } from './invitations-sql.ts';
import { lockMaker } from './keys-sql.ts';
import { actsAsOperator } from './operator-factor.ts';
import { partyOf } from './party.ts';
import { roles } from './permissions.ts';
import { rolesOf } from './team-sql.ts';
import { findUser } from './users-sql.ts';

/** Whether somebody with these rights may invite to this, as they would have to in order to send the invitation now. */
export function mayInvite(rights: Rights, invitation: Pick<InvitationRow, 'kind' | 'storeId' | 'creatorId' | 'role'>): boolean {
  if (rights.isOperator) return true;
  const { storeId, role } = invitation;
  if (invitation.kind !== 'store' || storeId === null || role === null) return false;
  return rights.stores.get(storeId)?.has('team:write') === true && mayGrant(rights, partyOf(invitation), roles[role]);
}

/**
 * Asked again when the invitation is accepted: its inviter's rights may have gone in the meantime, in whatever way. The inviter is
 * locked, so that a demotion goes before this or after it. Nobody behind it (an erased account): nobody vouches for it.
 */
export async function inviterStillMay(db: Queryable, mode: Config['mode'], invitation: InvitationRow): Promise<boolean> {
  if (invitation.invitedBy === null) return false;
  await lockMaker(db, invitation.invitedBy);
  return mayInvite(await rightsNow(db, mode, invitation.invitedBy), invitation);
}

type Changed = { readonly userId: Id<'user'>; readonly mode: Config['mode']; readonly by: ByWhom };

/** Withdraws what somebody whose rights have just changed could not send any more. Each is in the audit log of its store. */
export async function withdrawInvitationsBeyond(db: Queryable, { userId, mode, by }: Changed, now: Date): Promise<void> {
  const open = await openInvitationsBy(db, { invitedBy: userId, now });
  if (open.length === 0) return;
  const rights = await rightsNow(db, mode, userId);
  const beyond = open.filter((invitation) => !mayInvite(rights, invitation));
  await withdrawInvitations(db, { invitationIds: beyond.map(({ invitationId }) => invitationId), now });
  for (const { kind, invitationId, storeId, creatorId } of beyond) {
    const place = storeId === null ? '/operator-invitations' : `/stores/${publicId('store', storeId)}/invitations`;
    await keepAudit(db, {
      ...by,
      storeId,
      creatorId,
      action: kind === 'store' ? 'team.invitation_withdrawn' : `${kind}.invitation_withdrawn`,
      subject: `/api/v1${place}/${publicId('invite', invitationId)}`,
      details: { invited_by: publicId('user', userId) },
    });
  }
}

async function rightsNow(db: Queryable, mode: Config['mode'], userId: Id<'user'>): Promise<Rights> {
  const user = await findUser(db, userId);
  if (user === null) return rightsOf({ isOperator: false, creatorId: null, roles: [] });
  const isOperator = actsAsOperator({ isOperator: user.isOperator, hasSecondFactor: user.totpConfirmedAt !== null }, mode);
  return rightsOf({ isOperator, creatorId: user.creatorId, roles: await rolesOf(db, userId) });
}

import { enqueueEmail } from '../notify/enqueue-email.ts';
import { invitationEmail, type InvitationTarget } from '../notify/account-emails.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import type { Identity } from './identity.ts';
import { inviterMayStillInvite } from './inviter-rights.ts';
import {
  insertInvitation,
  markInvitationAccepted,
  listOpenInvitations,
  withdrawInvitationsTo,
  type InvitationRow,
} from './invitations-sql.ts';
import { createLink } from './one-time-links.ts';
import { joinOperators } from './operator-rules.ts';
import { storeIdOf, type Party } from './party.ts';
import type { Role } from './permissions.ts';
import { insertRole } from './team-sql.ts';
import { updateCreator } from './users-sql.ts';

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
  readonly askedBy: Identity;
};

/** Sends a link to join. One address has one open invitation: a second replaces the first. */
export async function invite(db: Queryable, platform: Platform, invitation: Invitation): Promise<InvitationRow | Refusal> {
  const { email, party, role, invitedBy, inviterName, askedBy } = invitation;
  const now = realNow();
  await withdrawInvitationsTo(db, { party, email, now });
  if ((await listOpenInvitations(db, { party, now })).length >= openInvitationsMax) {
    return refuse('limit_reached', `At most ${openInvitationsMax} invitations can be open at once; withdraw one first.`);
  }
  const invitationId = newId<'invite'>(now);
  const expiresAt = plusDays(now, invitationDays);
  await insertInvitation(db, { invitationId, email, party, role, invitedBy, now, expiresAt });
  const url = await createLink(db, platform, { for: 'invitation', invitationId }, { expiresAt, askedBy });
  const letter = invitationEmail({ invited: invitedTo(party, role), by: inviterName, url, days: invitationDays });
  await enqueueEmail(db, platform.secrets, { to: email, content: letter, storeId: storeIdOf(party) });
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
  if (!(await inviterMayStillInvite(db, platform.config.mode, invitation))) return linkExpired;
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
      return refuse('conflict', 'This creator has a person already, or you are another creator with this address.');
    }
  }
}

export const linkExpired = refuse('link_used_or_expired', 'This link was used already, or its time is over. Ask for a new one.');

function invitedTo(party: Party, role: Role | null): InvitationTarget {
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

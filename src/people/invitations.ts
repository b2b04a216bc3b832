import { keepMail } from '../notify/mail.ts';
import { invitationLetter, type InvitedTo } from '../notify/people-letters.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays, realNow } from '../platform/time.ts';
import type { Identity } from './identity.ts';
import { inviterStillMay } from './inviter-rights.ts';
import { insertInvitation, markAccepted, openInvitations, withdrawInvitationsOf, type InvitationRow } from './invitations-sql.ts';
import { makeLink } from './one-time-links.ts';
import { joinOperators } from './operator-rules.ts';
import { storeIdOf, type Party } from './party.ts';
import type { Role } from './permissions.ts';
import { insertRole } from './team-sql.ts';
import { updateCreator } from './users-sql.ts';

export const invitationDays = 7;
export const invitationsMax = 50;

export type Invitation = {
  readonly email: string;
  readonly party: Party;
  /** What the person will be in a store's team; null elsewhere. */
  readonly role: Role | null;
  readonly invitedBy: Id<'user'> | null;
  /** Whose name stands in the mail. */
  readonly inviterName: string;
  readonly askedBy: Identity;
};

/** Sends somebody a link by which they join. One address has one open invitation: a second takes the place of the first. */
export async function invite(db: Queryable, platform: Platform, invitation: Invitation): Promise<InvitationRow | Refusal> {
  const { email, party, role, invitedBy, inviterName, askedBy } = invitation;
  const now = realNow();
  await withdrawInvitationsOf(db, { party, email, now });
  if ((await openInvitations(db, { party, now })).length >= invitationsMax) {
    return refuse('limit_reached', `At most ${invitationsMax} invitations can be open at once; withdraw one first.`);
  }
  const invitationId = newId<'invite'>(now);
  const expiresAt = plusDays(now, invitationDays);
  await insertInvitation(db, { invitationId, email, party, role, invitedBy, now, expiresAt });
  const url = await makeLink(db, platform, { for: 'invitation', invitationId }, { expiresAt, askedBy });
  const letter = invitationLetter({ invited: invitedTo(party, role), by: inviterName, url, days: invitationDays });
  await keepMail(db, platform.secrets, { to: email, letter, storeId: storeIdOf(party) });
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

/** The person joins, in the transaction that uses the link. */
export async function acceptInvitation(
  db: Queryable,
  platform: Platform,
  { invitation, userId }: { readonly invitation: InvitationRow; readonly userId: Id<'user'> },
): Promise<Refusal | null> {
  const now = realNow();
  if (!(await inviterStillMay(db, platform.config.mode, invitation))) return linkGone;
  if ((await markAccepted(db, { invitationId: invitation.invitationId, now })) === 0) return linkGone;
  const { kind, storeId, role, creatorId } = invitation;
  switch (kind) {
    case 'store':
      must(storeId !== null && role !== null, 'an invitation to a store names it and the role');
      await insertRole(db, { userId, storeId, role, now });
      return null;
    case 'operator':
      await joinOperators(db, platform, { invitationId: invitation.invitationId, userId });
      return null;
    case 'creator': {
      must(creatorId !== null, 'an invitation to a creator names it');
      if ((await updateCreator(db, { userId, creatorId })) === 1) return null;
      return refuse('conflict', 'This creator has a person already, or you are another creator with this address.');
    }
  }
}

export const linkGone = refuse('link_used_or_expired', 'This link was used already, or its time is over. Ask for a new one.');

function invitedTo(party: Party, role: Role | null): InvitedTo {
  switch (party.is) {
    case 'operator':
      return { to: 'operators' };
    case 'creator':
      return { to: 'creator account' };
    case 'store':
      must(role !== null, 'an invitation to a store names the role');
      return { to: 'store', role };
  }
}

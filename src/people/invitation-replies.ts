import { Type as T, type Static } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { notFound, type Refusal } from '../http/responses.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { timeField } from './fields.ts';
import type { Identity } from './identity.ts';
import { listOpenInvitations, withdrawInvitation, type InvitationRow } from './invitations-sql.ts';
import type { Party } from './party.ts';
import { userBehindRequest } from './person-behind.ts';

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
  invitedBy: await userBehindRequest(db, identity),
  inviterName: identity.name,
  askedBy: identity,
});

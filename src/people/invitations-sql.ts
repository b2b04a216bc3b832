import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { creatorIdOf, storeIdOf, type Party } from './party.ts';
import { partyCondition } from './party-sql.ts';
import type { Role } from './permissions.ts';

export type NewInvitationRow = {
  readonly invitationId: Id<'invite'>;
  readonly email: string;
  readonly party: Party;
  readonly role: Role | null;
  readonly invitedBy: Id<'user'> | null;
  readonly now: Date;
  readonly expiresAt: Date;
};

export async function insertInvitation(db: Queryable, row: NewInvitationRow): Promise<void> {
  const { invitationId, email, party, role, invitedBy, now, expiresAt } = row;
  await db.run(sql`
    insert into invitations (invitation_id, email, kind, store_id, role, creator_id, invited_by, made_at, expires_at)
    values (${invitationId}, ${email}, ${party.is}, ${storeIdOf(party)}, ${role},
            ${creatorIdOf(party)}, ${invitedBy}, ${now}, ${expiresAt})`);
}

export type InvitationRow = {
  readonly invitationId: Id<'invite'>;
  readonly email: string;
  readonly kind: Party['is'];
  readonly storeId: Id<'store'> | null;
  readonly creatorId: Id<'crt'> | null;
  readonly role: Role | null;
  readonly invitedBy: Id<'user'> | null;
  readonly madeAt: Date;
  readonly expiresAt: Date;
};

const columns = sql`invitation_id, email, kind, store_id, creator_id, role, invited_by, made_at, expires_at`;
const isOpen = sql`accepted_at is null and withdrawn_at is null`;

/** Invitations that can still be accepted. */
export function listOpenInvitations(
  db: Queryable,
  { party, now }: { readonly party: Party; readonly now: Date },
): Promise<InvitationRow[]> {
  return db.all<InvitationRow>(sql`
    select ${columns} from invitations where ${partyCondition(party)} and ${isOpen} and expires_at > ${now} order by invitation_id`);
}

export function findOpenInvitation(
  db: Queryable,
  { invitationId, now }: { readonly invitationId: Id<'invite'>; readonly now: Date },
): Promise<InvitationRow | null> {
  return db.find<InvitationRow>(sql`
    select ${columns} from invitations where invitation_id = ${invitationId} and ${isOpen} and expires_at > ${now}`);
}

/** Returns 0 if it was already accepted or withdrawn: the row lock lets only one of two concurrent requests through. */
export function markInvitationAccepted(
  db: Queryable,
  { invitationId, now }: { readonly invitationId: Id<'invite'>; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update invitations set accepted_at = ${now} where invitation_id = ${invitationId} and ${isOpen} and expires_at > ${now}`);
}

export function withdrawInvitation(
  db: Queryable,
  { party, invitationId, now }: { readonly party: Party; readonly invitationId: Id<'invite'>; readonly now: Date },
): Promise<number> {
  return db.run(sql`
    update invitations set withdrawn_at = ${now} where ${partyCondition(party)} and invitation_id = ${invitationId} and ${isOpen}`);
}

/** A second invitation of the same address replaces the first. */
export async function withdrawInvitationsTo(
  db: Queryable,
  { party, email, now }: { readonly party: Party; readonly email: string; readonly now: Date },
) {
  await db.run(sql`update invitations set withdrawn_at = ${now} where ${partyCondition(party)} and email = ${email} and ${isOpen}`);
}

/**
 * One inviter's invitations that can still be accepted. Reads all open invitations, which is acceptable because rights change a few times a
 * year.
 */
export const listOpenInvitationsBy = (
  db: Queryable,
  { invitedBy, now }: { readonly invitedBy: Id<'user'>; readonly now: Date },
): Promise<InvitationRow[]> =>
  db.all<InvitationRow>(sql`
    select ${columns} from invitations where invited_by = ${invitedBy} and ${isOpen} and expires_at > ${now} order by invitation_id`);

export async function withdrawInvitations(
  db: Queryable,
  { invitationIds, now }: { readonly invitationIds: ReadonlyArray<Id<'invite'>>; readonly now: Date },
): Promise<void> {
  await db.run(sql`update invitations set withdrawn_at = ${now} where invitation_id = any(${uuids(invitationIds)}) and ${isOpen}`);
}

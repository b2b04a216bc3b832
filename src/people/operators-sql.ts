import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { AgreeingOperator } from './decide-agreement.ts';

/** Reads all rows, because an installation has only a few operators. */
export const operatorsMax = 200;

/** A current or former operator, with the facts that agreement between two people depends on. */
export type OperatorPerson = AgreeingOperator & {
  readonly userId: Id<'user'>;
  readonly invitedBy: Id<'user'> | null;
  readonly name: string;
  readonly email: string;
  readonly creatorId: Id<'crt'> | null;
};

const columns = sql`
  user_id, name, email, is_operator, creator_id, operator_since as since, operator_established_at as established_at,
  operator_invited_by as invited_by`;

export const findOperatorPerson = (db: Queryable, userId: Id<'user'>): Promise<OperatorPerson | null> =>
  db.find<OperatorPerson>(sql`select ${columns} from users where user_id = ${userId}`);

export const listOperatorPersons = (db: Queryable, userIds: ReadonlyArray<Id<'user'>>): Promise<OperatorPerson[]> =>
  db.all<OperatorPerson>(sql`select ${columns} from users where user_id = any(${uuids(userIds)}) order by user_id`);

type NewOperatorRow = {
  readonly userId: Id<'user'>;
  readonly since: Date;
  readonly establishedAt: Date | null;
  readonly invitedBy: Id<'user'> | null;
};

/** Existing operators are unchanged: a second invitation does not restart their waiting period. */
export async function markAsOperator(db: Queryable, { userId, since, establishedAt, invitedBy }: NewOperatorRow): Promise<void> {
  await db.run(sql`
    update users set is_operator = true, operator_since = ${since}, operator_established_at = ${establishedAt},
      operator_invited_by = ${invitedBy}
    where user_id = ${userId} and not is_operator`);
}

export type OperatorRules = { readonly inSandbox: boolean; readonly lastLeftAt: Date | null };

export const readOperatorRules = (db: Queryable): Promise<OperatorRules> =>
  db.one<OperatorRules>(sql`select in_sandbox, last_left_at from operator_rules`);

export async function updateOperatorRules(db: Queryable, { inSandbox }: Pick<OperatorRules, 'inSandbox'>): Promise<void> {
  await db.run(sql`update operator_rules set in_sandbox = ${inSandbox}`);
}

export async function updateLastOperatorLeft(db: Queryable, at: Date): Promise<void> {
  await db.run(sql`update operator_rules set last_left_at = ${at}`);
}

/** An invitation to the operators that is not approved yet. `joinedUserId` is set once its person accepted and waits. */
export type Approval = {
  readonly invitationId: Id<'invite'>;
  readonly email: string;
  readonly invitedBy: Id<'user'> | null;
  readonly invitedByName: string | null;
  readonly madeAt: Date;
  readonly joinedUserId: Id<'user'> | null;
  readonly joinedName: string | null;
};

const isPending = sql`
  i.kind = 'operator' and i.approved_at is null and i.withdrawn_at is null and (i.accepted_at is null or i.joined_user_id is not null)`;
const approvalColumns = sql`
  i.invitation_id, i.email, i.invited_by, inviter.name as invited_by_name, i.made_at, i.joined_user_id, joined.name as joined_name
  from invitations i left join users inviter on inviter.user_id = i.invited_by left join users joined on joined.user_id = i.joined_user_id`;

/** Reads all rows, because an installation has only a few. Expired invitations that were not accepted need no approval. */
export const listPendingApprovals = (db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<Approval[]> =>
  db.all<Approval>(sql`
    select ${approvalColumns} where ${isPending} and (i.joined_user_id is not null or i.expires_at > ${now})
    order by i.invitation_id limit ${most}`);

/** Locks the row, so that the second of two concurrent decisions finds the first. */
export async function lockApproval(db: Queryable, invitationId: Id<'invite'>): Promise<Approval | null> {
  await db.all(sql`select invitation_id from invitations where invitation_id = ${invitationId} for update`);
  return db.find<Approval>(sql`select ${approvalColumns} where ${isPending} and i.invitation_id = ${invitationId}`);
}

export async function markInvitationApproved(
  db: Queryable,
  { invitationId, by, at }: { readonly invitationId: Id<'invite'>; readonly by: Id<'user'>; readonly at: Date },
): Promise<void> {
  await db.run(sql`update invitations set approved_by = ${by}, approved_at = ${at} where invitation_id = ${invitationId}`);
}

export async function markInvitationDeclined(db: Queryable, invitationId: Id<'invite'>, at: Date): Promise<void> {
  await db.run(sql`update invitations set withdrawn_at = ${at} where invitation_id = ${invitationId}`);
}

export async function markInvitationJoined(
  db: Queryable,
  { invitationId, userId }: { readonly invitationId: Id<'invite'>; readonly userId: Id<'user'> },
): Promise<void> {
  await db.run(sql`update invitations set joined_user_id = ${userId} where invitation_id = ${invitationId}`);
}

export type InvitedBy = { readonly invitedBy: Id<'user'> | null; readonly approvedAt: Date | null };

export const getInviter = (db: Queryable, invitationId: Id<'invite'>): Promise<InvitedBy> =>
  db.one<InvitedBy>(sql`select invited_by, approved_at from invitations where invitation_id = ${invitationId}`);

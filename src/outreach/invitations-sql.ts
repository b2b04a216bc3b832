import type { Queryable } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql, texts, type Sql } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Page, SortedPage } from '../http/page.ts';
import type { EmailState } from '../notify/emails-sql.ts';
import { invitationTransitions, type InvitationEvent, type InvitationState } from './invitation-states.ts';

export type ProgramInvitation = {
  readonly invitationId: Id<'pinv'>;
  readonly storeId: Id<'store'>;
  readonly programId: Id<'prog'>;
  readonly email: string;
  /** The name that the merchant gave; the person chooses their own. */
  readonly creatorName: string | null;
  readonly message: string | null;
  readonly note: string | null;
  /** The group that the creator joins. */
  readonly groupId: Id<'grp'> | null;
  readonly state: InvitationState;
  readonly madeAt: Date;
  /** Like the actor of an audit entry. */
  readonly madeBy: string;
  readonly madeByName: string;
  readonly sentAt: Date;
  readonly sends: number;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly mailId: Id<'mail'> | null;
  /** Set when the person accepts. */
  readonly creatorId: Id<'crt'> | null;
};

const columns = sql`
  invitation_id, store_id, program_id, email, creator_name, message, note, group_id, state, made_at, made_by, made_by_name, sent_at, sends,
  expires_at, ended_at, mail_id, creator_id`;

export type NewInvitation = Omit<ProgramInvitation, 'state' | 'endedAt' | 'mailId' | 'creatorId' | 'sends' | 'sentAt'>;

/** False if the address has an open invitation to the program: the unique index decides between concurrent requests. */
export async function insertInvitation(db: Queryable, row: NewInvitation): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into program_invitations (invitation_id, store_id, program_id, email, creator_name, message, note, group_id, state, made_at,
      made_by, made_by_name, sent_at, sends, expires_at)
    values (${row.invitationId}, ${row.storeId}, ${row.programId}, ${row.email}, ${row.creatorName}, ${row.message}, ${row.note},
      ${row.groupId}, 'open', ${row.madeAt}, ${row.madeBy}, ${row.madeByName}, ${row.madeAt}, 1, ${row.expiresAt})
    on conflict do nothing`);
  return inserted === 1;
}

type InvitationKey = Pick<ProgramInvitation, 'storeId' | 'invitationId'>;

export const setInvitationEmail = (
  db: Queryable,
  { invitationId, mailId }: { readonly invitationId: Id<'pinv'>; readonly mailId: Id<'mail'> | null },
): Promise<number> => db.run(sql`update program_invitations set mail_id = ${mailId} where invitation_id = ${invitationId}`);

type Renewal = Pick<ProgramInvitation, 'invitationId' | 'expiresAt' | 'groupId'> & { readonly at: Date };

/** Restarts the time of an open invitation that is sent again. It keeps its group unless another one is given. */
export const renewInvitation = (db: Queryable, { invitationId, at, expiresAt, groupId }: Renewal): Promise<ProgramInvitation> =>
  db.one(sql`
    update program_invitations
    set sent_at = ${at}, sends = sends + 1, expires_at = ${expiresAt}, group_id = coalesce(${groupId}::uuid, group_id)
    where invitation_id = ${invitationId} returning ${columns}`);

export const lockInvitation = (db: Queryable, { storeId, invitationId }: InvitationKey): Promise<ProgramInvitation | null> =>
  db.find(sql`
    select ${columns} from program_invitations where store_id = ${storeId} and invitation_id = ${invitationId} for no key update`);

type OpenKey = Pick<ProgramInvitation, 'storeId' | 'programId' | 'email'>;

/** By the unique index of open invitations. */
export const lockOpenInvitation = (db: Queryable, { storeId, programId, email }: OpenKey): Promise<ProgramInvitation | null> =>
  db.find(sql`
    select ${columns} from program_invitations
    where store_id = ${storeId} and program_id = ${programId} and email = ${email} and state = 'open' for no key update`);

/** Null if the invitation has ended already: the row lock lets only one of two concurrent requests through. */
export const endInvitation = (
  db: Queryable,
  { invitationId, event, at, creatorId = null }: InvitationEnd,
): Promise<ProgramInvitation | null> => {
  const transition = invitationTransitions[event];
  return db.find(sql`
    update program_invitations set state = ${stateAfterSql(transition)}, ended_at = ${at}, creator_id = ${creatorId}
    where invitation_id = ${invitationId} and ${inStates(transition.from)} returning ${columns}`);
};

type InvitationEnd = {
  readonly invitationId: Id<'pinv'>;
  readonly event: InvitationEvent;
  readonly at: Date;
  readonly creatorId?: Id<'crt'> | null;
};

/** How many emails the store sent to invited people since then, by the index program_invitations_sent. */
export async function countSentSince(db: Queryable, storeId: Id<'store'>, since: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from program_invitations where store_id = ${storeId} and sent_at > ${since}`);
  return Number(count);
}

/** The status that the API shows: an open invitation is `expired` after its time. */
export const invitationStatuses = ['open', 'expired', 'accepted', 'declined', 'revoked'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

export type InvitationFilter = { readonly status: InvitationStatus | null; readonly programId: Id<'prog'> | null; readonly now: Date };
export type ListedInvitation = ProgramInvitation & { readonly emailState: EmailState | null };

const invitationIdColumn: SortColumn<ListedInvitation> = {
  expression: sql`i.invitation_id`,
  type: 'uuid',
  value: ({ invitationId }) => invitationId,
};

/** By the index program_invitations_of_store. Other sorts read all invitations of the store, which are thousands. */
export const invitationSorts: ListSorts<ListedInvitation> = {
  columns: {
    made_at: invitationIdColumn,
    email: { expression: sql`lower(i.email)`, type: 'text', value: ({ email }) => email },
    sent_at: { expression: sql`i.sent_at`, type: 'time', value: ({ sentAt }) => sentAt },
    expires_at: { expression: sql`i.expires_at`, type: 'time', value: ({ expiresAt }) => expiresAt },
  },
  unique: invitationIdColumn,
  defaultSort: '-made_at',
};

/** Emails are deleted after 90 days; their state is null from then on. */
export const listInvitations = (
  db: Queryable,
  storeId: Id<'store'>,
  { status, programId, now }: InvitationFilter,
  { after, limit, order }: SortedPage<ListedInvitation>,
): Promise<ListedInvitation[]> =>
  db.all(sql`
    select ${withAlias}, m.state as email_state
    from program_invitations i left join mails m on m.mail_id = i.mail_id
    where i.store_id = ${storeId} ${status === null ? emptySql : statusCondition(status, now)}
      ${programId === null ? emptySql : sql`and i.program_id = ${programId}`}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

const withAlias = sql`
  i.invitation_id, i.store_id, i.program_id, i.email, i.creator_name, i.message, i.note, i.group_id, i.state, i.made_at, i.made_by,
  i.made_by_name, i.sent_at, i.sends, i.expires_at, i.ended_at, i.mail_id, i.creator_id`;

function statusCondition(status: InvitationStatus, now: Date): Sql {
  if (status === 'open') return sql`and i.state = 'open' and i.expires_at > ${now}`;
  if (status === 'expired') return sql`and i.state = 'open' and i.expires_at <= ${now}`;
  return sql`and i.state = ${status}`;
}

/** The invitations that a person can accept, newest first, by the index program_invitations_to. */
export const listInvitationsTo = (
  db: Queryable,
  { email, now }: { readonly email: string; readonly now: Date },
  { after, limit }: Page,
): Promise<ProgramInvitation[]> =>
  db.all(sql`
    select ${columns} from program_invitations
    where email = ${email} and state = 'open' and expires_at > ${now}
      ${after === null ? emptySql : sql`and invitation_id < ${after[0]}`}
    order by invitation_id desc limit ${limit + 1}`);

/** Null unless the invitation was sent to this address. */
export const lockInvitationTo = (
  db: Queryable,
  { email, invitationId, now }: { readonly email: string; readonly invitationId: Id<'pinv'>; readonly now: Date },
): Promise<ProgramInvitation | null> =>
  db.find(sql`
    select ${columns} from program_invitations
    where invitation_id = ${invitationId} and email = ${email} and state = 'open' and expires_at > ${now} for no key update`);

export const deleteInvitationsTo = (db: Queryable, email: string): Promise<number> =>
  db.run(sql`delete from program_invitations where email = ${email}`);

/** The invitations stay, because they belong to the store. Scans the table, because a person is erased rarely. */
export const eraseInviter = (
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<number> => db.run(sql`update program_invitations set made_by_name = ${name} where made_by = any(${texts(actors)})`);

/** The record of invited people is private and is not stored forever. */
export const deleteOldInvitations = (db: Queryable, { before, most }: { readonly before: Date; readonly most: number }): Promise<number> =>
  db.run(sql`
    delete from program_invitations where invitation_id in (
      select invitation_id from program_invitations where expires_at < ${before} limit ${most})`);

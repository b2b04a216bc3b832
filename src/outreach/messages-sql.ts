import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts, uuids } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Page } from '../http/page.ts';

export type CreatorMessage = {
  readonly storeId: Id<'store'>;
  readonly messageId: Id<'msg'>;
  readonly subject: string;
  readonly body: string;
  readonly programId: Id<'prog'> | null;
  readonly madeAt: Date;
  readonly madeBy: string;
  readonly madeByName: string;
  /** Null until the last email is enqueued. */
  readonly sentAt: Date | null;
};

const columns = sql`store_id, message_id, subject, body, program_id, made_at, made_by, made_by_name, sent_at`;

export type MessageKey = Pick<CreatorMessage, 'storeId' | 'messageId'>;

export const insertMessage = (db: Queryable, row: Omit<CreatorMessage, 'sentAt'>): Promise<CreatorMessage> =>
  db.one(sql`
    insert into creator_messages (store_id, message_id, subject, body, program_id, made_at, made_by, made_by_name)
    values (${row.storeId}, ${row.messageId}, ${row.subject}, ${row.body}, ${row.programId}, ${row.madeAt}, ${row.madeBy},
      ${row.madeByName})
    returning ${columns}`);

type Audience = { readonly programId: Id<'prog'> | null; readonly creatorIds: ReadonlyArray<Id<'crt'>> | null };

/** The approved and paused members that the message is for, as they are now. Returns their number. */
export const insertRecipients = (db: Queryable, { storeId, messageId }: MessageKey, { programId, creatorIds }: Audience): Promise<number> =>
  db.run(sql`
    insert into creator_message_recipients (store_id, message_id, creator_id, state)
    select distinct store_id, ${messageId}::uuid, creator_id, 'waiting' from members
    where store_id = ${storeId} and ${inStates(joinedStatuses, sql`status`)}
      ${programId === null ? emptySql : sql`and program_id = ${programId}`}
      ${creatorIds === null ? emptySql : sql`and creator_id = any(${uuids(creatorIds)})`}`);

export async function countMessagesSince(db: Queryable, storeId: Id<'store'>, since: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from creator_messages where store_id = ${storeId} and made_at > ${since}`);
  return Number(count);
}

/** Newest first. */
export const listMessages = (db: Queryable, storeId: Id<'store'>, { after, limit }: Page): Promise<CreatorMessage[]> =>
  db.all(sql`
    select ${columns} from creator_messages
    where store_id = ${storeId} ${after === null ? emptySql : sql`and message_id < ${after[0]}`}
    order by message_id desc limit ${limit + 1}`);

export type ReceivedMessage = Pick<CreatorMessage, 'messageId' | 'subject' | 'body' | 'programId' | 'madeAt'>;
type Recipient = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** What the creator got by email, newest first, by the index creator_message_recipients_of_creator. */
export const listReceivedMessages = (
  db: Queryable,
  { storeId, creatorId }: Recipient,
  { after, limit }: Page,
): Promise<ReceivedMessage[]> =>
  db.all(sql`
    select received.message_id, message.subject, message.body, message.program_id, message.made_at
    from creator_message_recipients as received join creator_messages as message using (store_id, message_id)
    where received.store_id = ${storeId} and received.creator_id = ${creatorId} and received.state = 'sent'
      ${after === null ? emptySql : sql`and received.message_id < ${after[0]}`}
    order by received.message_id desc limit ${limit + 1}`);

export type RecipientCount = { readonly messageId: Id<'msg'>; readonly state: 'waiting' | 'sent' | 'unsubscribed'; readonly count: bigint };

export const countRecipients = (db: Queryable, storeId: Id<'store'>, messageIds: ReadonlyArray<Id<'msg'>>): Promise<RecipientCount[]> =>
  db.all(sql`
    select message_id, state, count(*) as count from creator_message_recipients
    where store_id = ${storeId} and message_id = any(${uuids(messageIds)}) group by message_id, state`);

/** By the partial index of messages that are being sent, of which few exist. */
export const listUnsentMessages = (db: Queryable, most: number): Promise<MessageKey[]> =>
  db.all(sql`select store_id, message_id from creator_messages where sent_at is null order by message_id limit ${most}`);

/** Null if another process sends it. */
export const lockUnsentMessage = (db: Queryable, { storeId, messageId }: MessageKey): Promise<CreatorMessage | null> =>
  db.find(sql`
    select ${columns} from creator_messages
    where store_id = ${storeId} and message_id = ${messageId} and sent_at is null for no key update skip locked`);

export const listWaitingRecipients = (
  db: Queryable,
  { storeId, messageId }: MessageKey,
  most: number,
): Promise<Array<{ creatorId: Id<'crt'> }>> =>
  db.all(sql`
    select creator_id from creator_message_recipients
    where store_id = ${storeId} and message_id = ${messageId} and state = 'waiting' order by creator_id limit ${most}`);

type Settled = MessageKey & { readonly creatorIds: ReadonlyArray<Id<'crt'>>; readonly state: 'sent' | 'unsubscribed' };

export const settleRecipients = (db: Queryable, { storeId, messageId, creatorIds, state }: Settled): Promise<number> =>
  db.run(sql`
    update creator_message_recipients set state = ${state}
    where store_id = ${storeId} and message_id = ${messageId} and creator_id = any(${uuids(creatorIds)})`);

export const markMessageSent = (db: Queryable, { storeId, messageId, at }: MessageKey & { readonly at: Date }): Promise<number> =>
  db.run(sql`update creator_messages set sent_at = ${at} where store_id = ${storeId} and message_id = ${messageId}`);

type Senders = { readonly actors: readonly string[]; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

export const eraseSender = (db: Queryable, { actors, storeIds, name }: Senders): Promise<number> =>
  db.run(sql`
    update creator_messages set made_by_name = ${name} where store_id = any(${uuids(storeIds)}) and made_by = any(${texts(actors)})`);

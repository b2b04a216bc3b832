import type { Queryable } from '../db/database.ts';
import { containsLowered } from '../db/like-pattern.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { searchInOrder } from '../db/search-in-order.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

export type Creator = {
  readonly creatorId: Id<'crt'>;
  readonly name: string;
  readonly email: string;
  readonly suspendedAt: Date | null;
  /** Shown to the creator; null if they are not suspended or no reason was given. */
  readonly suspensionReason: string | null;
  /** The creator's own minimum payout, if it is higher than the operator's. */
  readonly payoutMinimumCents: Cents | null;
  readonly createdAt: Date;
};

const columns = sql`creator_id, name, email, suspended_at, suspension_reason, payout_minimum_cents, created_at`;

export async function insertCreator(
  db: Queryable,
  { creatorId, name, email, createdAt }: Omit<Creator, 'suspendedAt' | 'suspensionReason' | 'payoutMinimumCents'>,
): Promise<Creator> {
  return db.one(sql`
    insert into creators (creator_id, name, email, created_at) values (${creatorId}, ${name}, ${email}, ${createdAt})
    returning ${columns}`);
}

export async function findCreator(db: Queryable, creatorId: Id<'crt'>): Promise<Creator | null> {
  return db.find(sql`select ${columns} from creators where creator_id = ${creatorId}`);
}

export async function creatorExists(db: Queryable, creatorId: Id<'crt'>): Promise<boolean> {
  return (await db.find(sql`select 1 as one from creators where creator_id = ${creatorId}`)) !== null;
}

/** Serializes changes of a creator's payout method. */
export async function lockCreator(db: Queryable, creatorId: Id<'crt'>): Promise<Creator> {
  return db.one(sql`select ${columns} from creators where creator_id = ${creatorId} for no key update`);
}

/** A shared lock: exports can run in parallel, and an erasure waits for them. */
export async function lockCreatorShared(db: Queryable, creatorId: Id<'crt'>): Promise<void> {
  await db.all(sql`select creator_id from creators where creator_id = ${creatorId} for share`);
}

const creatorIdColumn: SortColumn<Creator> = { expression: sql`creator_id`, type: 'uuid', value: ({ creatorId }) => creatorId };

/** By primary key, whose IDs grow with time, or by the index creators_in_name_order. */
export const creatorSorts: ListSorts<Creator> = {
  columns: { created_at: creatorIdColumn, name: { expression: sql`lower(name)`, type: 'text', value: ({ name }) => name } },
  unique: creatorIdColumn,
  defaultSort: '-created_at',
};

const newestFirst = orderOf(creatorSorts);

type CreatorsPage = Page & { readonly search?: string | null; readonly order?: ListOrder<Creator> };

/** All creators, newest first by default; for operators only. A search finds a part of the name or the email address, or the public ID. */
export async function listCreators(db: Queryable, { after, limit, search = null, order = newestFirst }: CreatorsPage): Promise<Creator[]> {
  const creatorId = search === null ? null : readPublicId('crt', search);
  const byId = creatorId === null ? emptySql : sql`and creator_id = ${creatorId}`;
  const rows = sql`from creators where true ${byId} ${afterKey(order, after)}`;
  const sorted = orderBy(order);
  if (search === null || creatorId !== null) return db.all(sql`select ${columns} ${rows} ${sorted} limit ${limit + 1}`);
  const condition = containsLowered(sql`search_text`, search);
  return searchInOrder<Creator>(db, { columns: sql`${columns}, search_text`, rows, condition, sorted, limit: limit + 1 });
}

export async function creatorNames(db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<ReadonlyMap<Id<'crt'>, string>> {
  const rows = await db.all<Pick<Creator, 'creatorId' | 'name'>>(sql`
    select creator_id, name from creators where creator_id = any(${uuids(creatorIds)})`);
  return new Map(rows.map(({ creatorId, name }) => [creatorId, name]));
}

export async function setCreatorName(
  db: Queryable,
  { creatorId, name }: { readonly creatorId: Id<'crt'>; readonly name: string },
): Promise<Creator | null> {
  return db.find(sql`update creators set name = ${name} where creator_id = ${creatorId} returning ${columns}`);
}

/** Null: the operator's minimum applies. */
export async function setPayoutMinimum(
  db: Queryable,
  { creatorId, minimum }: { readonly creatorId: Id<'crt'>; readonly minimum: Cents | null },
): Promise<Creator | null> {
  return db.find(sql`
    update creators set payout_minimum_cents = ${minimum} where creator_id = ${creatorId} returning ${columns}`);
}

/** Updates the creator's email with the person's, unless an operator set a different one. */
export async function updateCreatorEmail(
  db: Queryable,
  { creatorId, from, to }: { readonly creatorId: Id<'crt'> | null; readonly from: string; readonly to: string },
): Promise<void> {
  if (creatorId === null) return;
  await db.run(sql`update creators set email = ${to} where creator_id = ${creatorId} and lower(email) = ${from}`);
}

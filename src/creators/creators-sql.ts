import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

export type Creator = {
  readonly creatorId: Id<'crt'>;
  readonly name: string;
  readonly email: string;
  readonly suspendedAt: Date | null;
  /** What the creator reads of why; null where they are not suspended, or no reason was given. */
  readonly suspensionReason: string | null;
  /** What a payout has to reach, where the creator wants more than the operator asks. */
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

/** Changes of one creator's payout method go one after the other. */
export async function lockCreator(db: Queryable, creatorId: Id<'crt'>): Promise<Creator> {
  return db.one(sql`select ${columns} from creators where creator_id = ${creatorId} for no key update`);
}

/** Shared: exports run side by side, and an erasure waits for them. */
export async function shareCreator(db: Queryable, creatorId: Id<'crt'>): Promise<void> {
  await db.all(sql`select creator_id from creators where creator_id = ${creatorId} for share`);
}

/** Across all creators, for operators only. Newest first. */
export async function allCreators(db: Queryable, { after, limit }: Page): Promise<Creator[]> {
  return db.all(sql`
    select ${columns} from creators ${after === null ? nothing : sql`where creator_id < ${after[0]}`}
    order by creator_id desc limit ${limit + 1}`);
}

/** Of the creators of one page. */
export async function namesOfCreators(db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<ReadonlyMap<Id<'crt'>, string>> {
  const rows = await db.all<Pick<Creator, 'creatorId' | 'name'>>(sql`
    select creator_id, name from creators where creator_id = any(${creatorIds}::uuid[])`);
  return new Map(rows.map(({ creatorId, name }) => [creatorId, name]));
}

export async function setCreatorName(
  db: Queryable,
  { creatorId, name }: { readonly creatorId: Id<'crt'>; readonly name: string },
): Promise<Creator | null> {
  return db.find(sql`update creators set name = ${name} where creator_id = ${creatorId} returning ${columns}`);
}

/** Null: the operator's minimum is the creator's too. */
export async function setPayoutMinimum(
  db: Queryable,
  { creatorId, minimum }: { readonly creatorId: Id<'crt'>; readonly minimum: Cents | null },
): Promise<Creator | null> {
  return db.find(sql`
    update creators set payout_minimum_cents = ${minimum} where creator_id = ${creatorId} returning ${columns}`);
}

/** A creator's address follows that of the person, unless an operator gave it another one. */
export async function updateCreatorEmail(
  db: Queryable,
  { creatorId, from, to }: { readonly creatorId: Id<'crt'> | null; readonly from: string; readonly to: string },
): Promise<void> {
  if (creatorId === null) return;
  await db.run(sql`update creators set email = ${to} where creator_id = ${creatorId} and lower(email) = ${from}`);
}

import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export async function findConnected(db: Queryable, creatorId: Id<'crt'>): Promise<string | null> {
  const row = await db.find<{ account: string }>(sql`select account from stripe_accounts where creator_id = ${creatorId}`);
  return row?.account ?? null;
}

/** The first one stands: a creator has one account, however often they begin. */
export async function keepConnected(db: Queryable, creatorId: Id<'crt'>, account: string, at: Date): Promise<void> {
  await db.run(sql`
    insert into stripe_accounts (creator_id, account, begun_at) values (${creatorId}, ${account}, ${at}) on conflict do nothing`);
}

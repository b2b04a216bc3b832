import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** What this database has seen: `real money`, a live key was used on it; `pretended money`, a sandbox or a test key moved some. */
export type MoneySeen = 'real money' | 'pretended money';

export async function noteMoney(db: Queryable, seen: MoneySeen, now: Date): Promise<void> {
  await db.run(sql`insert into installation (fact, since) values (${seen}, ${now}) on conflict (fact) do nothing`);
}

export async function hasSeen(db: Queryable, money: MoneySeen): Promise<boolean> {
  const noted = await db.find(sql`select fact from installation where fact = ${money}`);
  return noted !== null;
}

import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** `real money`: a live key was used with this database. `pretended money`: a sandbox or a test key moved some. */
export type MoneyKind = 'real money' | 'pretended money';

export async function recordMoneyKind(db: Queryable, seen: MoneyKind, now: Date): Promise<void> {
  await db.run(sql`insert into installation (fact, since) values (${seen}, ${now}) on conflict (fact) do nothing`);
}

export async function hasMoneyKind(db: Queryable, money: MoneyKind): Promise<boolean> {
  const noted = await db.find(sql`select fact from installation where fact = ${money}`);
  return noted !== null;
}

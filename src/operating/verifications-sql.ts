import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type Verification = {
  readonly verificationId: Id<'ver'>;
  readonly at: Date;
  readonly checked: bigint;
  readonly differences: number;
  readonly askedBy: string;
  readonly askedByName: string;
};

export async function keepVerification(db: Queryable, made: Verification): Promise<void> {
  await db.run(sql`
    insert into verifications (verification_id, at, checked, differences, asked_by, asked_by_name)
    values (${made.verificationId}, ${made.at}, ${made.checked}, ${made.differences}, ${made.askedBy}, ${made.askedByName})`);
}

/** By primary key: ids are times. */
export const lastVerification = (db: Queryable): Promise<Verification | null> =>
  db.find(sql`
    select verification_id, at, checked, differences, asked_by, asked_by_name from verifications order by verification_id desc limit 1`);

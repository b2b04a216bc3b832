import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';

export type CheckedOnce = { readonly what: string; readonly checked: number; readonly differences: number };
export type FoundOnce = { readonly what: string; readonly store_id: string; readonly detail: string };

export type Verification = {
  readonly verificationId: Id<'ver'>;
  readonly at: Date;
  readonly checked: bigint;
  readonly differences: number;
  readonly askedBy: string;
  readonly askedByName: string;
  /** Null, as the two below, of those from before they were kept. */
  readonly tookMs: bigint | null;
  readonly checks: readonly CheckedOnce[] | null;
  /** The first ones. */
  readonly found: readonly FoundOnce[] | null;
};

const columns = sql`verification_id, at, checked, differences, asked_by, asked_by_name, took_ms, checks, found`;

export async function keepVerification(db: Queryable, made: Verification): Promise<void> {
  await db.run(sql`
    insert into verifications (verification_id, at, checked, differences, asked_by, asked_by_name, took_ms, checks, found)
    values (${made.verificationId}, ${made.at}, ${made.checked}, ${made.differences}, ${made.askedBy}, ${made.askedByName},
      ${made.tookMs}, ${JSON.stringify(made.checks)}::jsonb, ${JSON.stringify(made.found)}::jsonb)`);
}

/** By primary key: ids are times. Newest first. */
export const listVerifications = (db: Queryable, { after, limit }: Page): Promise<Verification[]> =>
  db.all(sql`
    select ${columns} from verifications ${after === null ? nothing : sql`where verification_id < ${after[0]}`}
    order by verification_id desc limit ${limit + 1}`);

export const lastVerification = (db: Queryable): Promise<Verification | null> =>
  db.find(sql`select ${columns} from verifications order by verification_id desc limit 1`);

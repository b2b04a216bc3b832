import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';

export type VerificationCheck = { readonly what: string; readonly checked: number; readonly differences: number };
export type VerificationDifference = { readonly what: string; readonly store_id: string; readonly detail: string };

export type StoredVerification = {
  readonly verificationId: Id<'ver'>;
  readonly at: Date;
  readonly checked: bigint;
  readonly differences: number;
  readonly requestedBy: string;
  readonly requestedByName: string;
  /** Null, like the next two fields, for verifications before these fields were stored. */
  readonly tookMs: bigint | null;
  readonly checks: readonly VerificationCheck[] | null;
  /** The first differences. */
  readonly found: readonly VerificationDifference[] | null;
};

const columns = sql`
  verification_id, at, checked, differences, asked_by as requested_by, asked_by_name as requested_by_name, took_ms, checks, found`;

export async function insertVerification(db: Queryable, made: StoredVerification): Promise<void> {
  await db.run(sql`
    insert into verifications (verification_id, at, checked, differences, asked_by, asked_by_name, took_ms, checks, found)
    values (${made.verificationId}, ${made.at}, ${made.checked}, ${made.differences}, ${made.requestedBy}, ${made.requestedByName},
      ${made.tookMs}, ${JSON.stringify(made.checks)}::jsonb, ${JSON.stringify(made.found)}::jsonb)`);
}

/** Newest first, by primary key: IDs sort by time. */
export const listVerifications = (db: Queryable, { after, limit }: Page): Promise<StoredVerification[]> =>
  db.all(sql`
    select ${columns} from verifications ${after === null ? emptySql : sql`where verification_id < ${after[0]}`}
    order by verification_id desc limit ${limit + 1}`);

export const lastVerification = (db: Queryable): Promise<StoredVerification | null> =>
  db.find(sql`select ${columns} from verifications order by verification_id desc limit 1`);

import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** What a creator may have mail about. What protects the account (a changed payout method, a password) is always sent. */
export const mailKinds = ['joined', 'new_commissions', 'approved', 'refused', 'paid', 'failed'] as const;
export type MailKind = (typeof mailKinds)[number];

/** Whoever has said nothing wants all. */
export async function unwantedMails(db: Queryable, creatorId: Id<'crt'>): Promise<ReadonlySet<MailKind>> {
  const rows = await db.all<{ kind: MailKind }>(sql`select kind from creator_mails_off where creator_id = ${creatorId}`);
  return new Set(rows.map(({ kind }) => kind));
}

export const wantsMail = async (db: Queryable, creatorId: Id<'crt'>, kind: MailKind): Promise<boolean> =>
  !(await unwantedMails(db, creatorId)).has(kind);

type Choice = { readonly creatorId: Id<'crt'>; readonly kind: MailKind; readonly isWanted: boolean };

export async function keepWantedMail(db: Queryable, { creatorId, kind, isWanted }: Choice): Promise<void> {
  await (isWanted
    ? db.run(sql`delete from creator_mails_off where creator_id = ${creatorId} and kind = ${kind}`)
    : db.run(sql`insert into creator_mails_off (creator_id, kind) values (${creatorId}, ${kind}) on conflict do nothing`));
}

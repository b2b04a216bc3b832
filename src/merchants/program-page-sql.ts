import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { LogoType } from './logo-type.ts';
import type { ProgramName } from './programs-sql.ts';

/** What a merchant shows on the public page of a program, beside its terms. */
export type ProgramPage = {
  readonly description: string;
  /** `#` and six lowercase hexadecimal digits. */
  readonly accentColor: string;
  readonly faq: ReadonlyArray<{ readonly question: string; readonly answer: string }>;
  /** Whether search engines may list the page. */
  readonly isListed: boolean;
};

const emptyPage: ProgramPage = { description: '', accentColor: '#0d6475', faq: [], isListed: false };

export async function findProgramPage(db: Queryable, { storeId, programId }: ProgramName): Promise<ProgramPage> {
  const row = await db.find<ProgramPage>(sql`
    select description, accent_color, faq, is_listed from program_pages where store_id = ${storeId} and program_id = ${programId}`);
  return row ?? emptyPage;
}

export const upsertProgramPage = (db: Queryable, { storeId, programId }: ProgramName, page: ProgramPage): Promise<number> =>
  db.run(sql`
    insert into program_pages (store_id, program_id, description, accent_color, faq, is_listed)
    values (${storeId}, ${programId}, ${page.description}, ${page.accentColor}, ${JSON.stringify(page.faq)}::jsonb, ${page.isListed})
    on conflict (store_id, program_id) do update
    set description = excluded.description, accent_color = excluded.accent_color, faq = excluded.faq, is_listed = excluded.is_listed`);

export type Logo = { readonly type: LogoType; readonly bytes: Buffer; readonly hash: string };

export const findLogo = (db: Queryable, { storeId, programId }: ProgramName): Promise<Logo | null> =>
  db.find<Logo>(sql`select type, bytes, hash from program_logos where store_id = ${storeId} and program_id = ${programId}`);

export async function findLogoHash(db: Queryable, { storeId, programId }: ProgramName): Promise<string | null> {
  const row = await db.find<{ hash: string }>(sql`
    select hash from program_logos where store_id = ${storeId} and program_id = ${programId}`);
  return row?.hash ?? null;
}

export const upsertLogo = (db: Queryable, { storeId, programId }: ProgramName, { type, bytes, hash }: Logo): Promise<number> =>
  db.run(sql`
    insert into program_logos (store_id, program_id, type, bytes, hash) values (${storeId}, ${programId}, ${type}, ${bytes}, ${hash})
    on conflict (store_id, program_id) do update set type = excluded.type, bytes = excluded.bytes, hash = excluded.hash`);

export const deleteLogo = (db: Queryable, { storeId, programId }: ProgramName): Promise<number> =>
  db.run(sql`delete from program_logos where store_id = ${storeId} and program_id = ${programId}`);

import { isOpenToCreators } from '../creators/open-programs.ts';
import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { findLogoHash, findProgramPage, type ProgramPage } from '../merchants/program-page-sql.ts';
import { findProgram, storeOfProgram, type Program } from '../merchants/programs-sql.ts';
import { findStore, statusOf, type Store } from '../merchants/stores-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { applicableVersions, termsInForce, type Terms } from '../merchants/terms.ts';

/** What the public page of a program shows. */
export type PublicProgram = {
  readonly program: Program;
  readonly store: Store;
  readonly terms: Terms;
  /** Announced terms that are not yet in effect. */
  readonly nextTerms: Terms | null;
  readonly isOpen: boolean;
  readonly page: ProgramPage;
  readonly logoHash: string | null;
};

/** Null for a program that does not exist, was never published, or belongs to an archived store: a visitor cannot tell them apart. */
export async function loadPublicProgram(db: Queryable, programId: Id<'prog'>, now: Date): Promise<PublicProgram | null> {
  const storeId = await storeOfProgram(db, programId);
  if (storeId === null) return null;
  const of = { storeId, programId };
  const [program, store] = [await findProgram(db, of), await findStore(db, storeId)];
  if (program === null || store === null || program.firstPublishedAt === null || statusOf(store) === 'archived') return null;
  const versions = await termsOfProgram(db, of);
  const terms = termsInForce(versions, now);
  if (terms === null) return null;
  return {
    program,
    store,
    terms,
    nextTerms: applicableVersions(versions).find(({ effectiveFrom }) => effectiveFrom > now) ?? null,
    isOpen: isOpenToCreators({ status: program.status, store }),
    page: await findProgramPage(db, of),
    logoHash: await findLogoHash(db, of),
  };
}

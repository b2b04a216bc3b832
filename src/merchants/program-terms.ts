import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import type { NextVersion } from './decide-settings.ts';
import { decideTerms, versionsMax, type TermsDraft } from './decide-terms.ts';
import { lockProgram, type Program, type ProgramName } from './programs-sql.ts';
import { insertTerms, termsOfProgram } from './terms-sql.ts';
import type { Terms } from './terms.ts';

/** Adds a version with the requested rules and the program's current window, hold and approval. */
export async function addTerms(db: Queryable, of: ProgramName, draft: TermsDraft, at: Date): Promise<Terms | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const terms = nextTerms(program, draft, { versions: await termsOfProgram(db, of), at });
  if (!isRefusal(terms)) await insertTerms(db, of, terms);
  return terms;
}

type Standing = { readonly versions: readonly Terms[]; readonly at: Date };

/** Returns the next version without storing it. */
export function nextTerms(program: Program, draft: TermsDraft, { versions, at }: Standing): Terms | Refusal {
  const decision = decideTerms(draft, { now: at, wasEverPublished: program.firstPublishedAt !== null, versionCount: versions.length });
  if (decision.do === 'refuse') {
    return decision.why === 'faults' ? refuse('unprocessable', 'Terms cannot be so; see errors.', decision.faults) : tooManyVersions;
  }
  const { pays, orderRules, subscriptionRules, effectiveFrom } = decision;
  return versionOf(program, { pays, orderRules, subscriptionRules, effectiveFrom }, { version: versions.length + 1, madeAt: at });
}

type Addition = { readonly versions: readonly Terms[]; readonly next: readonly NextVersion[]; readonly at: Date };

/** Adds versions after a change of the program's settings, which are already stored. Null: done. */
export async function addVersions(db: Queryable, program: Program, { versions, next, at }: Addition): Promise<Refusal | null> {
  if (versions.length + next.length > versionsMax) return tooManyVersions;
  for (const [place, version] of next.entries()) {
    await insertTerms(db, program, versionOf(program, version, { version: versions.length + 1 + place, madeAt: at }));
  }
  return null;
}

/** Versions are never deleted, so the last version number is their count. */
function versionOf({ attributionDays, holdDays, approval }: Program, next: NextVersion, made: Pick<Terms, 'version' | 'madeAt'>): Terms {
  return { ...next, ...made, attributionDays, holdDays, approval };
}

const tooManyVersions = refuse('limit_reached', `A program has at most ${versionsMax} versions of its terms; begin a new program.`);

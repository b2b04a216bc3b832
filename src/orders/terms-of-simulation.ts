import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { findTermsOfOrder } from '../commissions/terms-of-creators.ts';
import { readTimestamp } from '../contract/timestamp.ts';
import type { Id } from '../core/ids.ts';
import { hourMs } from '../core/time.ts';
import { findRateSubjects } from '../creators/rate-subjects-sql.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, refuse, type Refusal } from '../http/responses.ts';
import { nextTerms, readTermsDraft, termsBody } from '../merchants/program-terms.ts';
import type { Program } from '../merchants/programs-sql.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import type { Terms } from '../merchants/terms.ts';
import { apiMessage } from '../messages/api-message.ts';

export const draftField = T.Object(termsBody.properties, {
  additionalProperties: false,
  description: 'A draft version of the terms, to use instead of those in force',
});

type Simulation = {
  readonly program: Program;
  /** In place of the version that applies. */
  readonly draft: Static<typeof draftField> | undefined;
  readonly clickCreator: Id<'crt'> | null;
  readonly clickedAt: Date | null;
  readonly at: Date;
  readonly now: Date;
};
/** `draft` is null if the version is one of the program's. */
type SimulatedTerms = { readonly terms: Terms; readonly draft: Terms | null };

/** The terms that decide a simulated order or lead. */
export async function termsOfSimulation(
  db: Queryable,
  { program, draft: body, ...simulation }: Simulation,
): Promise<SimulatedTerms | Refusal> {
  const { storeId, programId } = program;
  const versions = await termsOfProgram(db, program);
  if (body !== undefined) {
    const given = readTermsDraft(body);
    const draft = nextTerms(program, given, { versions, subjects: await findRateSubjects(db, program, given), at: simulation.now });
    return isRefusal(draft) ? draft : { terms: draft, draft };
  }
  const terms = await findTermsOfOrder(db, { storeId, programId, versions, ...simulation });
  return terms === null ? refuse('terms_missing', apiMessage('simulate_api.program_has_no_terms_yet')) : { terms, draft: null };
}

/** Null: without a click. By default one hour before. */
export function readClickedAt(text: string | null | undefined, occurredAt: Date | 'unreadable'): Date | null | Refusal {
  if (text === null) return null;
  const before = occurredAt === 'unreadable' ? new Date(0) : new Date(occurredAt.getTime() - hourMs);
  const clickedAt = text === undefined ? before : readTimestamp(text);
  if (clickedAt !== 'unreadable') return clickedAt;
  return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'clicked_at', message: apiMessage('shared.time') }]);
}

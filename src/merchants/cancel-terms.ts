import { Type as T } from 'typebox';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { decideCancel } from './decide-cancel.ts';
import { enqueueNotices } from './enqueue-notices.ts';
import { showTermsToStore, termsJson } from './program-terms.ts';
import { lockProgram, updateProgram, type ProgramName } from './programs-sql.ts';
import { cancelTerms, termsOfProgram } from './terms-sql.ts';
import type { Terms } from './terms.ts';

/** An acceptance locks the program too, so it comes either before or after the cancellation. */
async function cancelVersion(db: Queryable, of: ProgramName, version: number, at: Date): Promise<Terms | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const decision = decideCancel(await termsOfProgram(db, of), version, at);
  if (decision.do === 'refuse')
    return refuse(
      decision.reason,
      decision.message,
      decision.reason === 'conflict' ? [] : [{ field: 'version', message: decision.message }],
    );
  const { terms } = decision;
  if (decision.do === 'keep') return terms;
  await cancelTerms(db, of, { ...terms, canceledAt: at });
  if (decision.settings !== null) await updateProgram(db, { ...program, ...decision.settings });
  if (terms.isAnnounced) await enqueueNotices(db, of, terms.version);
  return { ...terms, canceledAt: at };
}

export const cancelTermsEndpoint = endpoint({
  summary: "Cancel a version of a program's terms before it starts",
  access: { allow: 'store', permission: 'programs:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { program: 'prog' },
  body: T.Object({ version: T.Integer({ minimum: 1, maximum: 1_000_000 }) }, { additionalProperties: false }),
  reply: termsJson,
  audit: 'terms.cancel',
  async handle({ db, ids, body, now }) {
    const terms = await cancelVersion(db, { storeId: ids.store, programId: ids.program }, body.version, now);
    return isRefusal(terms) ? terms : showTermsToStore(terms);
  },
});

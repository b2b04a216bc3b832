import { memberStatuses } from '../creators/membership-states.ts';
import { Type as T } from 'typebox';
import { findMembership } from '../creators/members-sql.ts';
import { isOpenToCreators } from '../creators/open-programs.ts';
import { findProgram, storeOfProgram } from '../merchants/programs-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { questionJson } from '../merchants/question-shapes.ts';
import { showTerms, termsJson } from '../merchants/program-terms.ts';
import { termsOfProgram } from '../merchants/terms-sql.ts';
import { applicableVersions, termsInForce } from '../merchants/terms.ts';
import { endpoint } from '../people/endpoint.ts';
import { notFound } from '../http/responses.ts';
import { namedObject, orNull } from '../http/fields.ts';
import { publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { decisionsCountedMax, findProgramRecord } from './program-record.ts';

/** Public, so that merchants can attract creators. A draft is not found. */
export const readPublicProgram = endpoint({
  summary: 'Get the public page of a program: its terms, and its past decisions',
  access: { allow: 'anyone' },
  ids: { program: 'prog' },
  reply: namedObject('PublicProgram', {
    id: T.String(),
    name: T.String(),
    store_id: T.String(),
    store_name: T.String(),
    site_url: T.String(),
    landing_url: T.String(),
    terms: termsJson,
    next_terms: orNull(termsJson),
    record: T.Object({
      decided: T.Integer({ description: `Of the latest decisions, at most ${decisionsCountedMax}` }),
      median_approval_hours: orNull(T.Integer({ description: 'From the sale to its approval; null if there are too few decisions' })),
      refused_basis_points: orNull(T.Integer({ description: 'The share of rejected commissions; null if there are too few decisions' })),
    }),
    is_open: T.Boolean({ description: 'Whether applications are open' }),
    questions: T.Array(questionJson, { description: 'The questions of the application' }),
    my_membership: orNull(T.Enum(memberStatuses)),
  }),
  async handle({ db, identity, ids, now }) {
    const storeId = await storeOfProgram(db, ids.program);
    if (storeId === null) return notFound;
    const of = { storeId, programId: ids.program };
    const [program, store] = [await findProgram(db, of), await findStore(db, storeId)];
    invariant(program !== null && store !== null, 'the directory names what there is');
    const versions = await termsOfProgram(db, of);
    const terms = termsInForce(versions, now);
    if (program.firstPublishedAt === null || terms === null) return notFound;
    const next = applicableVersions(versions).find(({ effectiveFrom }) => effectiveFrom > now) ?? null;
    const record = await findProgramRecord(db, of);
    const creatorId = identity?.creator?.creatorId ?? null;
    const member = creatorId === null ? null : await findMembership(db, { ...of, creatorId });
    return {
      id: publicId('prog', program.programId),
      name: program.name,
      store_id: publicId('store', storeId),
      store_name: store.name,
      site_url: store.siteUrl,
      landing_url: program.landingUrl,
      terms: showTerms(terms),
      next_terms: next && showTerms(next),
      record: {
        decided: record.decided,
        median_approval_hours: record.medianApprovalHours,
        refused_basis_points: record.refusedBasisPoints,
      },
      is_open: isOpenToCreators({ status: program.status, store }),
      questions: [...program.questions],
      my_membership: member?.status ?? null,
    };
  },
});

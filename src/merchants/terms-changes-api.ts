import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { endpoint } from '../people/endpoint.ts';
import { changedFields, changeEffects, decideTermsChanges, describeChange, overallEffect } from './decide-terms-changes.ts';
import { lintTiers } from './lint-tiers.ts';
import {
  findNamedMembers,
  nextTerms,
  readTermsDraft,
  showTerms,
  showTermsToStore,
  type FindGroups,
  type FindRateSubjects,
  termsBody,
  termsFileFormat,
  termsJson,
} from './program-terms.ts';
import { findProgram, type ProgramName } from './programs-sql.ts';
import { applicableVersions, type Terms } from './terms.ts';
import { termsOfProgram } from './terms-sql.ts';

const versionField = T.Integer({ minimum: 1, maximum: 1_000_000 });
const effectField = T.Enum(changeEffects, {
  title: 'TermsEffect',
  description: 'For the creators; `depends` if it is better for some orders',
});

const changesJson = namedObject('TermsChanges', {
  from_version: orNull(T.Integer({ description: 'Null: before the first version, when nothing earned' })),
  to_version: T.Integer(),
  effect: orNull(effectField),
  notice: T.Optional(
    T.Object(
      { effective_from: T.String() },
      { description: 'The new version is worse for at least one creator, so creators are informed, and it starts then' },
    ),
  ),
  warnings: T.Array(T.Object({ field: T.String(), message: T.String() }), {
    description: 'What is possible, but probably not meant: a tier that gives less than the one below it',
  }),
  changes: T.Array(
    namedObject('TermsChange', {
      field: T.Enum(changedFields),
      product_id: orNull(T.String()),
      price_id: orNull(T.String()),
      lead_kind: orNull(T.String()),
      owner_id: orNull(T.String({ description: 'The group or the membership with its own rates' })),
      conditions: T.Optional(T.String({ description: 'Of a rule for orders, in words' })),
      before: T.String(),
      after: T.String(),
      effect: effectField,
      text: T.String({ description: 'The change as a sentence' }),
    }),
  ),
});

function showChanges(before: Terms | null, after: Terms): Static<typeof changesJson> {
  const changes = decideTermsChanges(before, after);
  return {
    from_version: before?.version ?? null,
    to_version: after.version,
    effect: overallEffect(changes),
    ...(after.isAnnounced ? { notice: { effective_from: isoTime(after.effectiveFrom) } } : {}),
    warnings: [...lintTiers(after)],
    changes: changes.map((change) => ({
      field: change.field,
      product_id: change.productId,
      price_id: change.priceId,
      lead_kind: change.leadKind,
      owner_id: change.ownerId,
      ...(change.conditions === null ? {} : { conditions: change.conditions }),
      before: change.before,
      after: change.after,
      effect: change.effect,
      text: describeChange(change),
    })),
  };
}

/** The version whose place a version takes when it starts. A version that never applied is replaced by none. */
function versionBefore(versions: readonly Terms[], { version, effectiveFrom }: Terms): Terms | null {
  const earlier = versions.filter((one) => one.version < version && one.effectiveFrom <= effectiveFrom);
  return applicableVersions(earlier).at(-1) ?? null;
}

type Wanted = { readonly from?: number | undefined; readonly to?: number | undefined };
type Compared = { readonly before: Terms | null; readonly after: Terms };

/** The newest version and the one before it, unless they are named. */
async function findCompared(db: Queryable, of: ProgramName, { from, to }: Wanted): Promise<Compared | Refusal> {
  if ((await findProgram(db, of)) === null) return notFound;
  const versions = await termsOfProgram(db, of);
  const named = (wanted: number) => versions.find(({ version }) => version === wanted);
  const after = to === undefined ? versions.findLast(({ canceledAt }) => canceledAt === undefined) : named(to);
  if (after === undefined) return unknownVersion('to');
  if (from === undefined) return { before: versionBefore(versions, after), after };
  const before = named(from);
  return before === undefined ? unknownVersion('from') : { before, after };
}

const unknownVersion = (field: string): Refusal =>
  refuse('unprocessable', apiMessage('terms_file.version_unknown'), [{ field, message: apiMessage('terms_file.version_unknown') }]);

const readAccess = { allow: 'store', permission: 'store:read' } as const;

export const termsChangesEndpoint = endpoint({
  summary: "Compare two versions of a program's terms: what changed, and whether it is better or worse for creators",
  access: readAccess,
  ids: { program: 'prog' },
  query: T.Object({ from: T.Optional(versionField), to: T.Optional(versionField) }, { additionalProperties: false }),
  reply: changesJson,
  async handle({ db, ids, query }) {
    const compared = await findCompared(db, { storeId: ids.store, programId: ids.program }, query);
    return isRefusal(compared) ? compared : showChanges(compared.before, compared.after);
  },
});

export const previewTermsEndpoint = (findSubjects: FindRateSubjects, findGroups: FindGroups) =>
  endpoint({
    summary: 'Check new terms and compare them with those that they would replace, without saving them',
    access: { allow: 'store', permission: 'programs:write' },
    ids: { program: 'prog' },
    body: termsBody,
    reply: changesJson,
    async handle({ db, ids, body, now }) {
      const of = { storeId: ids.store, programId: ids.program };
      const program = await findProgram(db, of);
      if (program === null) return notFound;
      const versions = await termsOfProgram(db, of);
      const draft = readTermsDraft(body);
      const members = await findNamedMembers(db, of, { draft, versions, at: now, findGroups });
      const next = nextTerms(program, draft, { versions, subjects: await findSubjects(db, of, draft), members, at: now });
      return isRefusal(next) ? next : showChanges(versionBefore(versions, next), next);
    },
  });

/** What belongs to one version or to the program. Everything else of terms is what `POST …/terms` accepts. */
const ofVersion = [
  'version',
  'effective_from',
  'made_at',
  'attribution_days',
  'hold_days',
  'approval',
  'auto_approve_days',
  'announced',
  'canceled_at',
] as const;
const rulesJson = T.Omit(termsJson, ofVersion);

function termsFile(terms: Terms, withOwnRates: boolean) {
  const {
    version: _version,
    effective_from: _from,
    made_at: _at,
    attribution_days: _window,
    hold_days: _hold,
    approval: _approval,
    auto_approve_days: _days,
    announced: _announced,
    canceled_at: _canceled,
    ...rules
  } = withOwnRates ? showTermsToStore(terms) : showTerms(terms);
  return { ...rules, format: termsFileFormat };
}

export const exportTermsEndpoint = endpoint({
  summary: "Export a version of a program's terms as a JSON body for POST …/terms, the newest by default",
  access: readAccess,
  ids: { program: 'prog' },
  query: T.Object(
    {
      version: T.Optional(versionField),
      own_rates: T.Optional(
        T.Boolean({
          description:
            'Whether the file has the rates of groups and members, true by default. With them, it can be imported into this program only',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('TermsFile', { format: T.Literal(termsFileFormat), ...rulesJson.properties }),
  async handle({ db, ids, query }) {
    const compared = await findCompared(db, { storeId: ids.store, programId: ids.program }, { to: query.version });
    return isRefusal(compared) ? compared : termsFile(compared.after, query.own_rates ?? true);
  },
});

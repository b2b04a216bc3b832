import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type FieldError, type Refusal, isRefusal } from '../http/responses.ts';
import { newId, type Id, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { decideNotice } from './decide-notice.ts';
import { decidePause, decidePublish } from './decide-publish.ts';
import { decideSettings, settingsUsual, versionsForNewSettings, type NextVersion, type SettingsChange } from './decide-settings.ts';
import { readDestination } from './destination.ts';
import { addVersions, alreadyScheduled, hasScheduled, versionOf } from './program-terms.ts';
import {
  countPrograms,
  insertProgram,
  lockProgram,
  updateProgram,
  type Program,
  type ProgramName,
  findProgram,
  listPrograms,
  programSorts,
} from './programs-sql.ts';
import { findAndShareStore, findStore, lockStore } from './stores-sql.ts';
import { termsOfProgram } from './terms-sql.ts';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { endpoint } from '../people/endpoint.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';
import { pageFields, sortField } from '../http/page.ts';
import { isoTime, isoTimeOrNull, namedObject, nameField, orNull, searchField } from '../http/fields.ts';
import { questionJson } from './question-shapes.ts';
import { addressLengthMax } from './site.ts';
import { columnsOf } from './terms-json.ts';
import { attributionDaysMax, termsInForce, type Terms } from './terms.ts';
import { apiMessage } from '../messages/api-message.ts';

export const programsPerStoreMax = 500;

type NewProgram = SettingsChange & { readonly storeId: Id<'store'>; readonly name: string; readonly landingUrl: string; readonly at: Date };

export async function createProgram(
  db: Queryable,
  { storeId, name, landingUrl, at, ...settingsChange }: NewProgram,
): Promise<Program | Refusal> {
  await lockStore(db, storeId);
  if ((await countPrograms(db, storeId)) >= programsPerStoreMax) {
    return refuse('limit_reached', apiMessage('programs.store_can_have_at_most', { programsPerStoreMax }));
  }
  const landing = await readLanding(db, storeId, landingUrl);
  if (landing.is === 'wrong') return unprocessable(landing.fieldError);
  const decision = decideSettings(settingsUsual, settingsChange);
  if (decision.do === 'refuse') return unprocessable(decision.fieldError);
  const settings = decision.do === 'change' ? decision.settings : settingsUsual;
  return insertProgram(db, { ...settings, storeId, programId: newId<'prog'>(at), name, landingUrl: landing.href, createdAt: at });
}

type ProgramChange = SettingsChange & { readonly name?: string | undefined; readonly landingUrl?: string | undefined };

export async function changeProgram(db: Queryable, of: ProgramName, change: ProgramChange, at: Date): Promise<Program | Refusal> {
  if (change.landingUrl !== undefined) await findAndShareStore(db, of.storeId);
  const former = await lockProgram(db, of);
  if (former === null) return notFound;
  const landing = change.landingUrl === undefined ? null : await readLanding(db, of.storeId, change.landingUrl);
  if (landing?.is === 'wrong') return unprocessable(landing.fieldError);
  const decision = decideSettings(former, change);
  if (decision.do === 'refuse') return unprocessable(decision.fieldError);

  const named = { ...former, name: change.name ?? former.name, landingUrl: landing?.href ?? former.landingUrl };
  if (decision.do === 'keep') return updateProgram(db, named);
  const program = { ...named, ...decision.settings };
  const versions = await termsOfProgram(db, of);
  const next = withNotice(versionsForNewSettings(versions, at), { program, versions, at });
  if (isRefusal(next)) return next;
  const refusal = await addVersions(db, program, { versions, next, at });
  return refusal ?? updateProgram(db, program);
}

type Rescheduling = { readonly program: Program; readonly versions: readonly Terms[]; readonly at: Date };

/** A program that promises a notice changes one version at a time, and worse settings start after the notice. */
function withNotice(next: readonly NextVersion[], { program, versions, at }: Rescheduling): readonly NextVersion[] | Refusal {
  const inForce = termsInForce(versions, at);
  if (inForce?.noticeDays === undefined) return next;
  if (hasScheduled(versions, at)) return alreadyScheduled;
  const wasEverPublished = program.firstPublishedAt !== null;
  return next.map((version) => {
    const terms = versionOf(program, version, { version: versions.length + 1, madeAt: at });
    const notice = decideNotice(terms, { now: at, inForce, wasEverPublished, requestedFrom: undefined, members: [] });
    return notice.do === 'announce' ? { ...version, effectiveFrom: notice.effectiveFrom, isAnnounced: true } : version;
  });
}

export async function publishProgram(db: Queryable, of: ProgramName, at: Date): Promise<Program | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const store = await findStore(db, of.storeId);
  invariant(store !== null, 'a program belongs to a store');
  const hasTerms = (await termsOfProgram(db, of)).length > 0;
  const decision = decidePublish({ status: program.status, isTrackingOn: store.trackingOnAt !== null, hasTerms });
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  if (decision.do === 'keep') return program;
  return updateProgram(db, { ...program, status: 'published', firstPublishedAt: program.firstPublishedAt ?? at });
}

export async function pauseProgram(db: Queryable, of: ProgramName): Promise<Program | Refusal> {
  const program = await lockProgram(db, of);
  if (program === null) return notFound;
  const decision = decidePause(program);
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message);
  return decision.do === 'keep' ? program : updateProgram(db, { ...program, status: 'paused' });
}

type Landing = { readonly is: 'good'; readonly href: string } | { readonly is: 'wrong'; readonly fieldError: FieldError };

async function readLanding(db: Queryable, storeId: Id<'store'>, landingUrl: string): Promise<Landing> {
  const store = await findStore(db, storeId);
  invariant(store !== null, 'the request has access to the store, so it exists');
  const destination = readDestination(landingUrl, store.siteUrl);
  return destination.is === 'good' ? destination : { is: 'wrong', fieldError: { field: 'landing_url', message: destination.message } };
}

const unprocessable = (fieldError: FieldError): Refusal =>
  refuse('unprocessable', apiMessage('programs.program_invalid_see_errors'), [fieldError]);

const programNameLengthMax = 200;

const approvalWords = T.Union([T.Literal('manual'), T.Literal('auto')]);

const programJson = namedObject('Program', {
  id: T.String(),
  name: T.String(),
  landing_url: T.String(),
  status: T.Union([T.Literal('draft'), T.Literal('published'), T.Literal('paused')]),
  attribution_days: T.Integer(),
  hold_days: T.Integer(),
  approval: approvalWords,
  auto_approve_days: orNull(T.Integer()),
  first_published_at: orNull(T.String()),
  questions: T.Array(questionJson),
  created_at: T.String(),
});

function showProgram(program: Program): Static<typeof programJson> {
  const { approval, autoApproveDays } = columnsOf(program.approval);
  return {
    id: publicId('prog', program.programId),
    name: program.name,
    landing_url: program.landingUrl,
    status: program.status,
    attribution_days: program.attributionDays,
    hold_days: program.holdDays,
    approval,
    auto_approve_days: autoApproveDays,
    first_published_at: isoTimeOrNull(program.firstPublishedAt),
    questions: [...program.questions],
    created_at: isoTime(program.createdAt),
  };
}

const shown = (program: Program | Refusal) => (isRefusal(program) ? program : showProgram(program));

const nameAndLanding = { name: nameField(programNameLengthMax), landing_url: T.String({ minLength: 1, maxLength: addressLengthMax }) };
const settingsFields = {
  attribution_days: T.Optional(T.Integer({ minimum: 1, maximum: attributionDaysMax })),
  hold_days: T.Optional(T.Integer({ minimum: 0, maximum: 90 })),
  approval: T.Optional(approvalWords),
  auto_approve_days: T.Optional(orNull(T.Integer({ minimum: 3, maximum: 90 }))),
};
const changeBody = T.Object(
  { name: T.Optional(nameAndLanding.name), landing_url: T.Optional(nameAndLanding.landing_url), ...settingsFields },
  { additionalProperties: false },
);

const changeIn = (body: Static<typeof changeBody>) => ({
  name: body.name,
  landingUrl: body.landing_url,
  attributionDays: body.attribution_days,
  holdDays: body.hold_days,
  approval: body.approval,
  autoApproveDays: body.auto_approve_days,
});

export const createProgramEndpoint = endpoint({
  summary: 'Create a program as a draft',
  access: { allow: 'store', permission: 'programs:write' },
  body: T.Object({ ...nameAndLanding, ...settingsFields }, { additionalProperties: false }),
  reply: programJson,
  status: 201,
  audit: 'program.create',
  handle: async ({ db, ids, body, now }) =>
    shown(await createProgram(db, { ...changeIn(body), name: body.name, landingUrl: body.landing_url, storeId: ids.store, at: now })),
});

export const listProgramsEndpoint = sortedListEndpoint({
  summary: "List a store's programs, newest first",
  access: { allow: 'store', permission: 'store:read' },
  query: T.Object(
    { ...pageFields, q: searchField('A part of the name, ignoring case'), ...sortField(programSorts) },
    { additionalProperties: false },
  ),
  item: programJson,
  readFilter: ({ query: { q } }) => q ?? null,
  rows: ({ db, ids, filter }, page) => listPrograms(db, ids.store, { ...page, search: filter }),
  renderer: () => showProgram,
  sorts: programSorts,
});

export const getProgramEndpoint = endpoint({
  summary: 'Get a program',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: programJson,
  handle: async ({ db, ids }) => shown((await findProgram(db, { storeId: ids.store, programId: ids.program })) ?? notFound),
});

export const changeProgramEndpoint = endpoint({
  summary: 'Change a program; a new window, hold, or approval creates a new version of its terms',
  access: { allow: 'store', permission: 'programs:write' },
  proof: true,
  liveKeys: 'permitted',
  ids: { program: 'prog' },
  body: changeBody,
  reply: programJson,
  audit: 'program.change',
  handle: async ({ db, ids, body, now }) =>
    shown(await changeProgram(db, { storeId: ids.store, programId: ids.program }, changeIn(body), now)),
});

export const publishProgramEndpoint = endpoint({
  summary: 'Publish a program; requires tracking to be on, and terms',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  reply: programJson,
  audit: 'program.publish',
  handle: async ({ db, ids, now }) => shown(await publishProgram(db, { storeId: ids.store, programId: ids.program }, now)),
});

export const pauseProgramEndpoint = endpoint({
  summary: 'Pause a program: new visits are not tracked, and earlier clicks still count',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  reply: programJson,
  audit: 'program.pause',
  handle: async ({ db, ids }) => shown(await pauseProgram(db, { storeId: ids.store, programId: ids.program })),
});

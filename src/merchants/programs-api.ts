import { Type as T, type Static } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { isRefusal, notFound, type Refusal } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, nameField, orNull } from '../http/fields.ts';
import { pageOf, pageQuery, pageReply, readPage, uuidShape } from '../http/page.ts';
import { publicId } from '../core/ids.ts';
import { findProgram, listPrograms, type Program } from './programs-sql.ts';
import { changeProgram, createProgram, pauseProgram, publishProgram } from './programs.ts';
import { addressLengthMax } from './site.ts';
import { columnsOf } from './terms-json.ts';
import { attributionDaysMax } from './terms.ts';

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
    created_at: isoTime(program.createdAt),
  };
}

const shown = (program: Program | Refusal) => (isRefusal(program) ? program : showProgram(program));

const nameAndLanding = { name: nameField(programNameLengthMax), landing_url: T.String({ minLength: 1, maxLength: addressLengthMax }) };
const settings = {
  attribution_days: T.Optional(T.Integer({ minimum: 1, maximum: attributionDaysMax })),
  hold_days: T.Optional(T.Integer({ minimum: 0, maximum: 90 })),
  approval: T.Optional(approvalWords),
  auto_approve_days: T.Optional(orNull(T.Integer({ minimum: 3, maximum: 90 }))),
};
const changeBody = T.Object(
  { name: T.Optional(nameAndLanding.name), landing_url: T.Optional(nameAndLanding.landing_url), ...settings },
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
  summary: 'Make a program, as a draft',
  access: { allow: 'store', permission: 'programs:write' },
  body: T.Object({ ...nameAndLanding, ...settings }, { additionalProperties: false }),
  reply: programJson,
  status: 201,
  audit: 'program.create',
  handle: async ({ db, ids, body, now }) =>
    shown(await createProgram(db, { ...changeIn(body), name: body.name, landingUrl: body.landing_url, storeId: ids.store, at: now })),
});

export const listProgramsEndpoint = endpoint({
  summary: "List a store's programs, newest first",
  access: { allow: 'store', permission: 'store:read' },
  query: pageQuery,
  reply: pageOf(programJson),
  async handle({ db, ids, query }) {
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    return pageReply(await listPrograms(db, ids.store, page), page, showProgram, ({ programId }) => [programId]);
  },
});

export const getProgramEndpoint = endpoint({
  summary: 'Read a program',
  access: { allow: 'store', permission: 'store:read' },
  ids: { program: 'prog' },
  reply: programJson,
  handle: async ({ db, ids }) => shown((await findProgram(db, { storeId: ids.store, programId: ids.program })) ?? notFound),
});

export const changeProgramEndpoint = endpoint({
  summary: 'Change a program; another window, hold or approval makes a new version of its terms, from now on',
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
  summary: 'Publish a program: its links earn. Tracking must be on, and the terms be there',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  reply: programJson,
  audit: 'program.publish',
  handle: async ({ db, ids, now }) => shown(await publishProgram(db, { storeId: ids.store, programId: ids.program }, now)),
});

export const pauseProgramEndpoint = endpoint({
  summary: 'Pause a program: new visits earn nothing, clicks made before still count',
  access: { allow: 'store', permission: 'programs:write' },
  ids: { program: 'prog' },
  reply: programJson,
  audit: 'program.pause',
  handle: async ({ db, ids }) => shown(await pauseProgram(db, { storeId: ids.store, programId: ids.program })),
});

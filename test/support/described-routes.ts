import { Type as T } from 'typebox';
import type { OpenApi } from '../../src/http/openapi-document.ts';
import { describeApi, type DescribedRoute } from '../../src/http/openapi.ts';
import type { PostbackOperation } from '../../src/http/openapi-postbacks.ts';

/** A small API with one operation of each kind, to test the generated document. */
const plain: DescribedRoute['endpoint'] = {
  summary: 'Read the time',
  access: { allow: 'anyone' },
  proof: false,
  liveKeys: 'permitted',
  ids: {},
  query: null,
  body: null,
  uploadBytesMax: null,
  reply: T.Object({ now: T.String() }),
  status: 200,
  files: [],
  alsoRefuses: [],
  inTransaction: true,
};

const program = T.Object({
  id: T.String(),
  name: T.String(),
  fee_cents: T.BigInt(),
  status: T.Union([T.Literal('draft'), T.Literal('published')]),
  paused_at: T.Union([T.String(), T.Null()]),
});

const newProgram = T.Object(
  {
    name: T.String({ minLength: 1, maxLength: 200, description: "What people read; `<b>` and 'quotes' are text." }),
    approval: T.Optional(T.Union([T.Union([T.Literal('manual'), T.Literal('auto')]), T.Null()])),
    rules: T.Array(T.Object({ product_id: T.String(), basis_points: T.Integer({ minimum: 0, maximum: 10_000 }) }), { maxItems: 500 }),
  },
  { additionalProperties: false },
);

const ofStore = { allow: 'store', permission: 'programs:write' };
const page = T.Object({ data: T.Array(program), next_cursor: T.Union([T.String(), T.Null()]) });

const describedRoutes: readonly DescribedRoute[] = [
  { method: 'GET', path: '/api/v1/time', endpoint: plain },
  {
    method: 'POST',
    path: '/api/v1/stores/:store/programs',
    endpoint: { ...plain, summary: 'Make a program', access: ofStore, body: newProgram, reply: program, status: 201 },
  },
  {
    method: 'GET',
    path: '/api/v1/stores/:store/programs',
    endpoint: {
      ...plain,
      summary: 'List the programs',
      access: { allow: 'store', permission: 'store:read' },
      query: T.Object({ limit: T.Optional(T.Integer({ minimum: 1, maximum: 200, description: 'How many rows' })), q: T.String() }),
      reply: page,
    },
  },
  {
    method: 'DELETE',
    path: '/api/v1/stores/:store/programs/:program',
    endpoint: { ...plain, summary: 'Delete a draft', access: ofStore, proof: true, ids: { program: 'prog' }, reply: null, status: 204 },
  },
  {
    method: 'POST',
    path: '/api/v1/billing-runs',
    endpoint: { ...plain, summary: 'Bill', access: { allow: 'operator' }, inTransaction: false },
  },
  { method: 'POST', path: '/api/v1/stores/:store/archive', endpoint: { ...plain, summary: 'Archive a store', access: ofStore } },
  { method: 'GET', path: '/api/v1/me', endpoint: { ...plain, summary: 'Who am I', access: { allow: 'person' } } },
];

export const describedPostbacks: readonly PostbackOperation[] = [
  {
    path: '/api/partner-network/postbacks/:trackingKey/conversions',
    operationId: 'reportConversion',
    summary: 'Report a paid order',
    description: 'Once for each order.',
    body: T.Object({ order_id: T.String({ minLength: 1, maxLength: 500 }), occurred_at: T.String() }),
    example: { order_id: 'order-1001', occurred_at: '2026-03-01T12:00:00.000Z' },
    reasons: [
      { reason: 'invalid_payload', status: 400, retry: 'never', means: 'A field is missing.', example: { ok: true } },
      { reason: 'duplicate_order', status: 200, retry: null, means: 'Accepted before.', example: { ok: true } },
      { reason: 'recorded', status: 200, retry: null, means: 'It was recorded.', example: { ok: true } },
    ],
  },
];

export const describedApi = (): OpenApi =>
  describeApi({
    baseUrl: 'https://partners.example',
    sessionCookie: 'tributary_session',
    routes: describedRoutes,
    postbacks: describedPostbacks,
  });

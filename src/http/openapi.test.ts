import { Validator } from '@seriousme/openapi-schema-validator';
import { Type as T } from 'typebox';
import { expect, test } from 'vitest';
import { describedApi } from '../../test/support/described-routes.ts';
import { plainSchema } from './openapi-schema.ts';

const api = describedApi();
const programs = api.paths['/api/v1/stores/{store}/programs'];

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(api)));
  expect(errors).toBe(undefined);
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

test('an operation describes its access, input, and output', () => {
  expect(programs?.['post']).toMatchObject({
    operationId: 'postStoresByStorePrograms',
    summary: 'Make a program',
    description: 'Requires the permission `programs:write` in this store, or an operator.',
    tags: ['Programs'],
    'x-permission': 'programs:write',
    security: [{ apiKey: [] }, { session: [] }],
    requestBody: { required: true },
  });
  const { responses, parameters } = programs?.['post'] ?? {};
  expect(Object.keys(responses ?? {})).toEqual(['201', '400', '401', '403', '404', '409', '413', '415', '422', '429', '503']);
  expect(responses?.['404']).toEqual({ $ref: '#/components/responses/Refused404' });
  expect(parameters?.map((parameter) => [parameter.in, parameter.name, parameter.required])).toEqual([
    ['path', 'store', true],
    ['header', 'Idempotency-Key', false],
  ]);
});

test('an ID in a path is described with its prefix and a matching example', () => {
  const [store, program] = api.paths['/api/v1/stores/{store}/programs/{program}']?.['delete']?.parameters ?? [];
  for (const [parameter, prefix] of [
    [store, 'store_'],
    [program, 'prog_'],
  ] as const) {
    const [example] = parameter?.schema.examples ?? [];
    expect(example).toMatch(new RegExp(parameter?.schema.pattern ?? '^$'));
    expect(String(example).startsWith(prefix)).toBe(true);
  }
});

test('a query is described as parameters with their constraints', () => {
  expect(programs?.['get']?.parameters.filter((parameter) => parameter.in === 'query')).toEqual([
    { name: 'limit', in: 'query', required: false, description: 'How many rows', schema: { type: 'integer', minimum: 1, maximum: 200 } },
    { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
  ]);
});

test('an Idempotency-Key is described where it works: for an authenticated POST in a transaction', () => {
  const offered = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters }]) =>
      parameters.some(({ name }) => name === 'Idempotency-Key') ? [`${method} ${path}`] : [],
    ),
  );
  expect(offered).toEqual(['post /api/v1/stores/{store}/programs', 'post /api/v1/stores/{store}/archive']);
});

test('what needs no key says so, what needs a person or a fresh proof too', () => {
  expect(api.paths['/api/v1/time']?.['get']).toMatchObject({ security: [], description: 'Does not require authentication.' });
  expect(Object.keys(api.paths['/api/v1/time']?.['get']?.responses ?? {})).toEqual(['200', '429', '503']);
  expect(api.paths['/api/v1/me']?.['get']?.security).toEqual([{ session: [] }]);
  expect(api.paths['/api/v1/billing-runs']?.['post']?.['x-permission']).toBe('operator');
  expect(api.paths['/api/v1/stores/{store}/programs/{program}']?.['delete']).toMatchObject({
    description: expect.stringContaining('must have a proof of identity'),
    responses: { 204: { description: 'Done, without a response body.' } },
  });
});

test('operations are grouped by what they are about, in the order of the routes', () => {
  expect(api.tags.map(({ name }) => name)).toEqual(['Time', 'Programs', 'Billing runs', 'Stores', 'Me', 'Postbacks']);
});

test('a postback lists its reasons by status, with what to do about each', () => {
  const report = api.paths['/api/partner-network/postbacks/{trackingKey}/conversions']?.['post'];
  expect(report).toMatchObject({ operationId: 'reportConversion', security: [{ postbackKey: [] }, { postbackKeyHeader: [] }] });
  expect(report?.responses).toMatchObject({
    200: {
      content: { 'application/json': { schema: { allOf: [{}, { properties: { reason: { enum: ['duplicate_order', 'recorded'] } } }] } } },
    },
    400: { description: '`invalid_payload`: A field is missing.' },
  });
});

test.each([
  ['a choice of words', T.Union([T.Literal('a'), T.Literal('b')]), { type: 'string', enum: ['a', 'b'] }],
  ['a text or null', T.Union([T.String({ maxLength: 5 }), T.Null()]), { type: ['string', 'null'], maxLength: 5 }],
  ['one word or null', T.Union([T.Literal('a'), T.Null()]), { type: ['string', 'null'], enum: ['a', null] }],
  [
    'a choice of words or null',
    T.Union([T.Union([T.Literal('a'), T.Literal('b')]), T.Null()]),
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  ['cents', T.BigInt(), { type: 'integer' }],
  ['a value of each key', T.Record(T.String(), T.Boolean()), { type: 'object', additionalProperties: { type: 'boolean' } }],
  ['words of an enum', T.Enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  ['two kinds of object', T.Union([T.Object({}), T.Array(T.String())]), { anyOf: [{}, { type: 'array' }] }],
  ['a field that is called type', T.Object({ type: T.String() }), { properties: { type: { type: 'string' } } }],
])('%s is written as readers expect it', (_what, schema, written) => {
  expect(plainSchema(schema)).toMatchObject(written);
});

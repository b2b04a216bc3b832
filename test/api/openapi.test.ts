import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { docsPage } from '../../src/http/api-docs-page.ts';
import { nameSchemas } from '../../src/http/openapi-named-schemas.ts';
import { describedWhole, wholeRoutes as routes } from '../support/described-responses.ts';

const api = describedWhole();
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

test('the description of the whole API is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(api)));
  expect(errors).toBe(undefined);
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

test('named schemas change the structure of the served document and not its meaning', async () => {
  const served = nameSchemas(api);
  const { errors } = await new Validator().validate(JSON.parse(JSON.stringify(served)));
  expect(errors).toBe(undefined);
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith('#/components/schemas/'))
      return resolved(served.components.schemas[value.$ref.slice('#/components/schemas/'.length)]);
    const { title, ...rest } = value as { readonly title?: unknown };
    return Object.fromEntries(
      Object.entries({ ...rest, ...(typeof title === 'object' && { title }) }).map(([name, held]) => [name, resolved(held)]),
    );
  };
  expect(resolved(served.paths)).toEqual(resolved(api.paths));
  expect(Object.keys(served.components.schemas).length).toBeGreaterThan(100);
});

test('the document describes every route and no other', () => {
  const described = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const mounted = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(mounted.toSorted());
});

test('every operation has a unique name and a one-line summary', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(operations.filter(({ summary }) => !/^[A-Z][^\n]{5,119}$/.test(summary) || summary.endsWith('.'))).toEqual([]);
});

test('every operation that returns a body describes it', () => {
  const silent = operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, response]) => /^20[01]$/.test(status) && !('content' in response)),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test('every media type that an operation returns is described', () => {
  const typesOf = (type: string) =>
    operations
      .filter(({ responses }) => Object.values(responses).some((response) => 'content' in response && type in (response.content ?? {})))
      .map(({ operationId }) => operationId);
  expect(typesOf('text/event-stream')).toEqual(['getStoresByStoreTrackingLogStream']);
  expect(typesOf('text/plain')).toEqual(['getMetrics']);
  expect(typesOf('text/csv')).toHaveLength(17);
  const assetFiles = ['getStoresByStoreProgramsByProgramAssetsByAssetFile', 'getCreatorsByCreatorAssetsByAssetFile'];
  expect(typesOf('application/pdf').toSorted()).toEqual(
    ['getStoresByStoreInvoicesByInvoice', 'getStoresByStoreStatement', 'getCreatorsByCreatorStatement', ...assetFiles].toSorted(),
  );
  for (const type of ['image/png', 'image/jpeg', 'image/webp', 'image/gif']) expect(typesOf(type)).toEqual(assetFiles);
});

test('every list has a next_cursor', () => {
  const lists = routes.filter(({ endpoint }) => endpoint.reply !== null && isListReply(endpoint.reply));
  const unpaged = lists.filter(({ endpoint }) => !('next_cursor' in propertiesOf(endpoint.reply)));
  expect(lists.length).toBeGreaterThan(30);
  expect(unpaged.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

const propertiesOf = (schema: unknown): Readonly<Record<string, unknown>> =>
  typeof schema === 'object' && schema !== null && 'properties' in schema ? (schema.properties as Readonly<Record<string, unknown>>) : {};
const isListReply = (schema: unknown): boolean => 'data' in propertiesOf(schema);

test('every JSON body rejects unknown fields, and one operation takes a file instead', () => {
  const open = operations.filter(
    ({ requestBody }) => requestBody && requestBody.content['application/json']?.schema.additionalProperties !== false,
  );
  expect(open.map(({ operationId }) => operationId)).toEqual(['postStoresByStoreProgramsByProgramAssetFiles']);
  expect(Object.keys(open[0]?.requestBody?.content ?? {})).toEqual(['application/octet-stream']);
});

test('no two operations have the same anchor on the page', () => {
  const ids = [...docsPage(api).html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

const statusesOf = (method: string, path: string) => Object.keys(api.paths[`/api/v1${path}`]?.[method]?.responses ?? {});

test('every operation that changes something can return a conflict (409), with or without a body; a read never does', () => {
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, { responses }] of Object.entries(methods))
      expect('409' in responses, `${method} ${path}`).toBe(method !== 'get' || path.endsWith('/stores/{store}/notifications'));
  }
});

test('a public operation rejects requests from pages of another site (403), and a used link is 410', () => {
  expect(statusesOf('post', '/session')).toContain('403');
  for (const path of ['/one-time-links/read', '/one-time-links/use', '/email-changes/read', '/email-changes/undo']) {
    expect(statusesOf('post', path), path).toContain('403');
    expect(statusesOf('post', path), path).toContain('410');
  }
  expect(operations.filter(({ responses }) => '410' in responses)).toHaveLength(5);
});

test("the invitation of a creator's person requires the operator role", () => {
  expect(api.paths['/api/v1/creators/{creator}/invitations']?.['post']).toMatchObject({
    description: expect.stringContaining('Requires an operator'),
    'x-permission': 'operator',
  });
});

test('no schema of a parameter or request body has a title, which only names the shapes of responses', () => {
  const served = Object.values(nameSchemas(api).paths).flatMap((methods) => Object.values(methods));
  const inputs = served.flatMap(({ operationId, parameters, requestBody }) => [
    ...parameters.map(({ schema }) => ({ operationId, schema })),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ operationId, schema })),
  ]);
  const titled = inputs.filter(({ schema }) => JSON.stringify(schema).includes('"title":"'));
  expect(titled.map(({ operationId }) => operationId)).toEqual([]);
});

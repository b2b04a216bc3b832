import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { docsPage } from '../src/platform/http/docs-page.ts';
import { describeApi } from '../src/platform/http/openapi.ts';
import { apiRoutes } from '../src/routes.ts';

/** Nothing is signed or charged here: the operations are only looked at. */
const ring = { keys: () => [], keysAt: async () => [], refresh: async () => {}, close: () => {} };
const chargeProvider = () => null;
const readNews = { sandbox: null, stripe: null };
const providers = { standard: 'sandbox', chargeProvider, payoutProvider: chargeProvider, readNews, accounts: null } as const;
const routes = apiRoutes({ ring, providers });
const api = describeApi({ baseUrl: 'https://partners.example', sessionCookie: 'tributary_session', routes, postbacks: [] });
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

test('the description of the whole API is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(api)));
  expect(errors).toBe(undefined);
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

test('every route is described, and nothing else', () => {
  const described = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const mounted = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(mounted.toSorted());
});

test('every operation has a name of its own and a summary of one line', () => {
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(operations.filter(({ summary }) => !/^[A-Z][^\n]{5,119}$/.test(summary) || summary.endsWith('.'))).toEqual([]);
});

/** What answers in another form than JSON says so in its summary. */
const notJson = ['getStoresByStoreTrackingLogStream', 'getLedgerExport', 'getMetrics'];

test('every operation that answers with something says what', () => {
  const silent = operations.filter(({ responses }) =>
    Object.entries(responses).some(([status, response]) => /^20[01]$/.test(status) && !('content' in response)),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual(notJson);
});

test('every field of every body refuses what it does not know', () => {
  const open = operations.filter(
    ({ requestBody }) => requestBody && requestBody.content['application/json']?.schema.additionalProperties !== false,
  );
  expect(open.map(({ operationId }) => operationId)).toEqual([]);
});

test('no two operations share a place on the page', () => {
  const ids = [...docsPage(api).html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

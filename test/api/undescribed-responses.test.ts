import { expect, test } from 'vitest';
import { operationNames, succeededOperation, undescribedIn } from '../support/described-responses.ts';

const answered = (status: number, body: unknown) =>
  undescribedIn({ method: 'GET', path: '/api/v1/stores?limit=1', status, contentType: 'application/json', text: JSON.stringify(body) });

test('a response that differs from the OpenAPI document is found: a missing next_cursor, an extra field, an unnamed status', () => {
  expect(answered(200, { data: [], next_cursor: null })).toBeNull();
  expect(answered(200, { data: [] })).toContain('next_cursor');
  expect(answered(200, { data: [], next_cursor: null, total: 1 })).not.toBeNull();
  expect(answered(500, {})).toContain('a status that its description does not name');
});

test('only a success response counts as a call of its operation, and a literal path is not an ID', () => {
  const called = (method: string, path: string, status: number) =>
    succeededOperation({ method, path, status, contentType: '', text: null });
  expect(called('GET', '/api/v1/creators/crt_1?limit=1', 200)).toBe('GET /api/v1/creators/{creator}');
  expect(called('POST', '/api/v1/creators/me', 201)).toBe('POST /api/v1/creators/me');
  expect(called('GET', '/api/v1/creators/crt_1', 404)).toBeNull();
  expect(called('GET', '/api/v1/unknown', 200)).toBeNull();
  expect(operationNames).toContain('GET /metrics');
});

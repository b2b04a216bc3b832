import { expect, test } from 'vitest';
import { undescribedIn } from '../support/described-responses.ts';

const answered = (status: number, body: unknown) =>
  undescribedIn({ method: 'GET', path: '/api/v1/stores?limit=1', status, contentType: 'application/json', text: JSON.stringify(body) });

test('a response that differs from the OpenAPI document is found: a missing next_cursor, an extra field, an unnamed status', () => {
  expect(answered(200, { data: [], next_cursor: null })).toBeNull();
  expect(answered(200, { data: [] })).toContain('next_cursor');
  expect(answered(200, { data: [], next_cursor: null, total: 1 })).not.toBeNull();
  expect(answered(500, {})).toContain('a status that its description does not name');
});

import { expect, test } from 'vitest';
import { codeStateOf } from './codes-api.ts';

const now = new Date('2026-03-10T12:00:00Z');
const code = { status: 'active', shared: false, valid_from: '2026-03-01T00:00:00Z', valid_until: null } as const;

test('the state of a code is its status, then whether it is shared, then its validity', () => {
  expect(codeStateOf(code, now)).toBe('active');
  expect(codeStateOf({ ...code, status: 'ended', shared: true, valid_until: '2026-03-02T00:00:00Z' }, now)).toBe('ended');
  expect(codeStateOf({ ...code, status: 'paused', shared: true }, now)).toBe('paused');
  expect(codeStateOf({ ...code, shared: true, valid_until: '2026-03-02T00:00:00Z' }, now)).toBe('shared');
  expect(codeStateOf({ ...code, valid_until: '2026-03-10T12:00:00Z' }, now)).toBe('expired');
  expect(codeStateOf({ ...code, valid_until: '2026-03-10T12:00:01Z' }, now)).toBe('active');
  expect(codeStateOf({ ...code, valid_from: '2026-03-11T00:00:00Z' }, now)).toBe('scheduled');
});

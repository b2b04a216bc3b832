import { expect, test } from 'vitest';
import { redactSecrets } from './audit.ts';

test('redacts secrets at every depth and keeps their names', () => {
  const body = {
    email: 'a@b.example',
    password: 'x',
    new_password: 'x',
    code: '123456',
    token: 'x',
    api_key: 'x',
    webhook_secret: 'x',
    inner: [{ recovery_codes: ['x'] }],
    manual: { destination: 'x' },
  };
  expect(redactSecrets(body)).toEqual({
    email: 'a@b.example',
    password: '(not kept)',
    new_password: '(not kept)',
    code: '(not kept)',
    token: '(not kept)',
    api_key: '(not kept)',
    webhook_secret: '(not kept)',
    inner: [{ recovery_codes: '(not kept)' }],
    manual: { destination: '(not kept)' },
  });
});

test('replaces characters that the database cannot store', () => {
  expect(redactSecrets({ note: 'a\0b', half: '\ud800', cents: 12n })).toEqual({ note: 'a\ufffdb', half: '\ufffd', cents: 12n });
});

test('truncates deeply nested values', () => {
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 50; depth++) deep = { deep };
  expect(JSON.stringify(redactSecrets(deep))).toContain('…');
});

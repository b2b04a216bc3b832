import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSecretFiles } from './secret-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};

test('reads a secret from the environment, or from the file that NAME_FILE names, with or without a trailing line break', () => {
  const { environment, errors } = readSecretFiles({
    DATABASE_URL_FILE: file('url', 'postgres://a@b/c\n'),
    SECRET_KEY: 'own',
    PORT: '1',
  });
  expect(errors).toEqual([]);
  expect(environment).toMatchObject({ DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'own', PORT: '1' });
});

test('reads only secrets from files', () => {
  expect(readSecretFiles({ BASE_URL_FILE: file('base', 'https://a.example') }).environment['BASE_URL']).toBeUndefined();
});

test('reports a missing file, an empty file and a secret that is set twice, without their contents', () => {
  const { errors } = readSecretFiles({
    SECRET_KEY_FILE: join(folder, 'nowhere'),
    SMTP_URL_FILE: file('empty', '\n'),
    DATABASE_URL_FILE: file('twice', 'postgres://a:secret@b/c'),
    DATABASE_URL: 'postgres://other:secret@b/c',
  });
  expect(errors).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set; set one of them',
    `SECRET_KEY_FILE names a file that cannot be read: ${join(folder, 'nowhere')}`,
    `SMTP_URL_FILE names a file that is empty or too large: ${join(folder, 'empty')}`,
  ]);
  expect(errors.join()).not.toContain('secret@');
});

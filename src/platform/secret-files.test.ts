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

test('a secret stands in the environment, or in the file that is named there, with or without a line end', () => {
  const { environment, faults } = readSecretFiles({ DATABASE_URL_FILE: file('url', 'postgres://a@b/c\n'), SECRET_KEY: 'own', PORT: '1' });
  expect(faults).toEqual([]);
  expect(environment).toMatchObject({ DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'own', PORT: '1' });
});

test('only secrets are read from files', () => {
  expect(readSecretFiles({ BASE_URL_FILE: file('base', 'https://a.example') }).environment['BASE_URL']).toBeUndefined();
});

test('a file that is not there, an empty one, and a secret given twice are told, and never what stands in them', () => {
  const { faults } = readSecretFiles({
    SECRET_KEY_FILE: join(folder, 'nowhere'),
    SMTP_URL_FILE: file('empty', '\n'),
    DATABASE_URL_FILE: file('twice', 'postgres://a:secret@b/c'),
    DATABASE_URL: 'postgres://other:secret@b/c',
  });
  expect(faults).toEqual([
    'DATABASE_URL and DATABASE_URL_FILE are both set; set one of them',
    `SECRET_KEY_FILE names a file that cannot be read: ${join(folder, 'nowhere')}`,
    `SMTP_URL_FILE names a file that is empty or too large: ${join(folder, 'empty')}`,
  ]);
  expect(faults.join()).not.toContain('secret@');
});

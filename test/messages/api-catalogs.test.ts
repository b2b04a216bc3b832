import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flattenCatalog, listArguments } from '../../scripts/message-arguments.ts';
import { apiMessage, type ApiMessageId } from '../../src/messages/api-message.ts';
import { readSources } from '../architecture/source.ts';

const catalogs = readdirSync('locales/en')
  .filter((name) => name.startsWith('api-'))
  .map((name) => flattenCatalog(JSON.parse(readFileSync(`locales/en/${name}`, 'utf8'))));
const messages = catalogs.flatMap((catalog) => [...catalog]);

test('no two messages of the API have the same ID', () => {
  expect(new Set(messages.map(([id]) => id)).size).toBe(messages.length);
});

test('the code uses every message of the API', () => {
  const code = [...readSources('src/**/*.ts'), ...readSources('cli/*.ts')]
    .filter(({ path }) => path !== 'src/messages/api-messages.ts')
    .map(({ text }) => text)
    .join('\n');
  expect(messages.filter(([id]) => !code.includes(`'${id}'`)).map(([id]) => id)).toEqual([]);
});

test('every message of the API can be formatted, with and without arguments', () => {
  for (const [id, text] of messages) {
    const args = Object.fromEntries([...listArguments(text)].map(([name, type]) => [name, type === 'number' ? 2 : `<${name}>`]));
    // The types of the arguments are known only for a literal ID.
    const format: (id: ApiMessageId, args: object) => string = apiMessage;
    expect(format(id as ApiMessageId, args), id).not.toMatch(/\{\w|undefined|NaN/);
  }
});

test('a message with a plural is counted, and a quoted apostrophe is one apostrophe', () => {
  expect(apiMessage('decide_erasure.no_other_owner_make', { count: 1 })).toMatch(/^One store has no other owner\./);
  expect(apiMessage('decide_erasure.no_other_owner_make', { count: 3 })).toMatch(/^3 stores have no other owner\./);
});

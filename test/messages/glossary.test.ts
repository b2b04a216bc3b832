import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flattenCatalog } from '../../scripts/message-arguments.ts';
import { translatedAreas } from '../../locales/languages.ts';

const words =
  /\b(whoever|whom|nobody|somebody|told|tells|stands|hears|bill|bills|billed|shop|shops|e-mail|mails?)\b|by itself|goes on|at once\b/i;

test.each(translatedAreas)('English messages of %s use the words of the glossary', (area) => {
  const catalog = flattenCatalog(JSON.parse(readFileSync(`locales/en/${area}.json`, 'utf8')));
  expect([...catalog].filter(([, text]) => words.test(text))).toEqual([]);
});

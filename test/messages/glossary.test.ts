import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flattenCatalog } from '../../scripts/message-arguments.ts';

const words =
  /\b(whoever|whom|nobody|somebody|told|tells|stands|hears|bill|bills|billed|shop|shops|e-mail|mails?)\b|by itself|goes on|at once\b/i;

test.each(readdirSync('locales/en'))('English messages of %s use the words of the glossary', (file) => {
  const catalog = flattenCatalog(JSON.parse(readFileSync(`locales/en/${file}`, 'utf8')));
  expect([...catalog].filter(([, text]) => words.test(text))).toEqual([]);
});

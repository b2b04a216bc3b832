import { expect, test } from 'vitest';
import { negotiateLanguage } from './languages.ts';

test.each([
  ['', 'en'],
  ['*', 'en'],
  ['nl', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['es-419,es;q=0.9', 'es'],
  ['nl,de;q=0.5', 'de'],
  ['fr-CA;q=0.9, en;q=0.8', 'fr'],
  ['en;q=0.5, DE-ch', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['pt-BR,pt;q=0.9', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  ['es-419', 'es'],
  ['ja-JP,ja;q=0.9', 'ja'],
  ['de;q=x, en', 'en'],
  [`${'x'.repeat(100_000)},de`, 'en'],
])('an Accept-Language of "%.30s" is served %s', (header, language) => {
  expect(negotiateLanguage(header)).toBe(language);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languages } from '../../locales/languages.ts';
import { ownCodeBecause } from '../../src/contract/explain-attribution.ts';
import { attributionRules, codeProblems } from '../../src/contract/why.ts';
import { creatorVisibleReasons } from '../../src/creators/refused-orders-sql.ts';

type Catalog = Readonly<Record<string, Readonly<Record<string, string>>>>;

test.each(languages)('the portal in %s has a sentence for each reason, code, and rule of an ineligible order', (language) => {
  const catalog: Catalog = JSON.parse(readFileSync(`locales/${language}/portal.json`, 'utf8'));
  const namesOf = (group: string) => Object.keys(catalog[group] ?? {}).toSorted();
  expect(namesOf('ineligible_reasons')).toEqual([...creatorVisibleReasons, 'another_creator', 'code_does_not_count'].toSorted());
  expect(namesOf('ineligible_codes')).toEqual([...new Set(codeProblems.map(ownCodeBecause))].toSorted());
  expect(namesOf('ineligible_rules')).toEqual(attributionRules.toSorted());
});

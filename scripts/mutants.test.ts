import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mutated } from './mutant.ts';
import { mutants } from './mutants.ts';

test.each(mutants)('the mutant can be applied: $name', (mutant) => {
  const sound = readFileSync(mutant.file, 'utf8');
  expect(mutated(mutant, sound), `the quoted code occurs once in ${mutant.file}: if the code has changed, update the mutant`).not.toBe(
    null,
  );
  expect(mutated(mutant, sound)).not.toBe(sound);
  expect(mutant.tests.filter((path) => !existsSync(path))).toEqual([]);
});

test('each mutant has a unique name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('a mutant whose quoted code is missing or occurs twice cannot be applied', () => {
  const mutant = { name: 'a name', file: 'a file', from: 'a < b', to: 'a <= b', tests: [], isMoney: false };
  expect(mutated(mutant, 'if (a < b) go();')).toBe('if (a <= b) go();');
  expect(mutated(mutant, 'if (a > b) go();')).toBe(null);
  expect(mutated(mutant, 'if (a < b) go(); else if (a < b) stay();')).toBe(null);
});

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faulty } from './mutant.ts';
import { mutants } from './mutants.ts';

test.each(mutants)('the fault can be put in: $name', (mutant) => {
  const sound = readFileSync(mutant.file, 'utf8');
  expect(
    faulty(mutant, sound),
    `the words of the fault stand once in ${mutant.file}: where the code has changed, change the fault`,
  ).not.toBe(null);
  expect(faulty(mutant, sound)).not.toBe(sound);
  expect(mutant.tests.filter((path) => !existsSync(path))).toEqual([]);
});

test('each fault has a name of its own', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('a fault whose words are gone, or stand twice, cannot be put in', () => {
  const mutant = { name: 'a name', file: 'a file', from: 'a < b', to: 'a <= b', tests: [], isMoney: false };
  expect(faulty(mutant, 'if (a < b) go();')).toBe('if (a <= b) go();');
  expect(faulty(mutant, 'if (a > b) go();')).toBe(null);
  expect(faulty(mutant, 'if (a < b) go(); else if (a < b) stay();')).toBe(null);
});

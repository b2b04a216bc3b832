import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateDiagrams } from '../../scripts/state-diagrams.ts';

test('docs/states.md shows the transitions of the code (npm run states writes it)', () => {
  expect(readFileSync('docs/states.md', 'utf8')).toBe(stateDiagrams());
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { largerInFullRun, onlyInFullRun } from '../support/full-run.ts';
import { sizes } from '../support/size.ts';

const root = join(import.meta.dirname, '..', '..');

test('every file of npm run test:full exists, and is listed once', () => {
  const listed = [...onlyInFullRun, ...largerInFullRun];
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});

test('every test that npm test runs with fewer cases is in npm run test:full', () => {
  const reduced = Object.entries(sizes).flatMap(([name, size]) => ('quick' in size ? [`sizeOf('${name}')`] : []));
  const isReduced = (text: string): boolean =>
    /import \{[^}]*\b(?:isFull|looks)\b[^}]*\} from '[^']*size\.ts'/.test(text) || reduced.some((call) => text.includes(call));
  const paths = globSync('{src,test,web/src}/**/*.test.ts', { cwd: root });
  const found = paths.filter((path) => isReduced(readFileSync(join(root, path), 'utf8')) && !path.endsWith('full-run.test.ts'));
  expect(found.filter((path) => !onlyInFullRun.includes(path)).toSorted()).toEqual([...largerInFullRun].toSorted());
});

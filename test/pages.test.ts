import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** `src/routes.ts` and [links](docs/decisions); what has a placeholder or a star names no single file. */
function pathsIn(text: string): readonly string[] {
  const inCode = [...text.matchAll(/`((?:src|test|docs|scripts|migrations|web|bench|sdk|demo)\/[^`\s]*)`/g)];
  const inLinks = [...text.matchAll(/\]\(([^)#:]+)\)/g)];
  return [...inCode, ...inLinks].map(([, path = '']) => path).filter((path) => !/[*…<]|NNNN/.test(path));
}

test.each(pages)('every file that %s names is there', (page) => {
  expect(pathsIn(readFileSync(page, 'utf8')).filter((path) => !existsSync(path))).toEqual([]);
});

test('a path in the text is found, be it in code or in a link', () => {
  expect(pathsIn('See `src/gone.ts`, [this](docs/gone.md) and `src/*/decide-*`.')).toEqual(['src/gone.ts', 'docs/gone.md']);
});

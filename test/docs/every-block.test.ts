import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { execPath } from 'node:process';
import { expect, test } from 'vitest';
import { allPages, blocksOf, type Block } from './blocks.ts';

/** Which test runs the blocks of a page in a language. */
const runBy: Readonly<Record<string, string>> = {
  'docs/quickstart.md sh': 'test/docs/followed.test.ts',
  'docs/quickstart.md json': 'test/docs/followed.test.ts',
  'docs/subscriptions.md sh': 'test/docs/followed.test.ts',
  'docs/subscriptions.md json': 'test/docs/followed.test.ts',
  'docs/discount-codes.md sh': 'test/docs/followed.test.ts',
  'docs/discount-codes.md json': 'test/docs/followed.test.ts',
  'docs/capture.md html': 'test/docs/capture.test.ts',
  'docs/capture.md csp': 'test/docs/capture.test.ts',
  'docs/states.md mermaid': 'test/docs/states.test.ts',
  'docs/platforms.md ts': 'test/docs/platforms.test.ts',
  'docs/platforms.md html': 'test/docs/platform-pages.test.ts',
  'docs/webhooks.md sh': 'test/snippets/docs-commands.test.ts',
  'docs/webhooks.md js': 'test/webhooks/docs.test.ts',
  'sdk/README.md js': 'test/sdk/package.test.ts',
  'sdk/README.md ts': 'test/sdk/package.test.ts',
};

/** Blocks that are not run: commands that need root, examples of a format, and diagrams without a language. */
const onlyParsed = [
  'ARCHITECTURE.md ',
  'README.md sh',
  'README.md json',
  'docs/operate.md ',
  'docs/operate.md sh',
  'docs/webhooks.md json',
  'docs/wire.md ',
  'docs/wire.md json',
];

const blocks = allPages().flatMap(blocksOf);
const kindOf = ({ page, language }: Block): string => `${page} ${language}`;

/** What is wrong with a block as text of its language; null where nothing is, or where only the compiler can say (`ts`, `html`). */
function errorIn({ language, text }: Block): string | null {
  switch (language) {
    case 'sh':
      return errorFrom('bash', ['-n'], text);
    case 'js':
      return errorFrom(execPath, ['--check', '--input-type=module', '-'], text);
    case 'json':
      return jsonErrorIn(text);
    case '':
      return text.startsWith('npm ') ? errorFrom('bash', ['-n'], text) : null;
    case 'ts':
    case 'html':
    case 'mermaid':
    case 'csp':
      return null;
    default:
      return `no parser for the language "${language}"`;
  }
}

function errorFrom(program: string, options: readonly string[], input: string): string | null {
  const { status, stderr, stdout } = spawnSync(program, options, { input, encoding: 'utf8' });
  return status === 0 ? null : `${stderr}${stdout}`;
}

/** One value, or one a line. */
function jsonErrorIn(text: string): string | null {
  const isJson = (part: string): boolean => {
    try {
      JSON.parse(part);
      return true;
    } catch {
      return false;
    }
  };
  return isJson(text) || text.split('\n').every(isJson) ? null : 'it is no JSON';
}

test('every block of code of every page is run by a test that names the page, or is known to be only read', () => {
  expect(blocks.length).toBeGreaterThan(60);
  const kinds = new Set(blocks.map(kindOf));
  const known = new Set([...Object.keys(runBy), ...onlyParsed]);
  expect([...kinds].filter((kind) => !known.has(kind))).toEqual([]);
  // A name that no page needs any more would hide the next one.
  expect(Object.keys(runBy).filter((kind) => !kinds.has(kind))).toEqual([]);
  for (const [kind, file] of Object.entries(runBy)) {
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8'), `${file} names ${kind}`).toContain(kind.split(' ')[0]);
  }
});

test('every block can be read in its language', () => {
  const errors = blocks.flatMap((block) => {
    const problem = errorIn(block);
    return problem === null ? [] : [`${block.page}, ${block.section}: ${problem}`];
  });
  expect(errors).toEqual([]);
});

test.each([
  ['sh', 'if true; then', 'unexpected end'],
  ['js', 'const = 1;', 'SyntaxError'],
  ['json', '{ "a": … }', 'no JSON'],
  ['cobol', 'STOP RUN.', 'no parser'],
] as const)('a bad block of the language "%s" is seen', (language, text, words) => {
  expect(errorIn({ page: '', section: '', file: '', language, text })).toContain(words);
});

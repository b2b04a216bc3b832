import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  decisionViolations,
  environmentViolations,
  folderViolations,
  importCycles,
  importViolations,
  lengthViolations,
  loadedWith,
  mockViolations,
  nameViolations,
  readLayers,
  widthViolations,
} from './rules.ts';
import { readSources, type Source } from './source.ts';

const layers = readLayers(readFileSync('ARCHITECTURE.md', 'utf8'));
const server = readSources('src/**/*.{ts,js}');
const otherRoots = readSources('{web,sdk,demo,cli,locales}/**/*.{ts,tsx,js}');
const tooling = readSources('{test,scripts,bench}/**/*.{ts,tsx}', '*.ts');
const all = [...server, ...otherRoots, ...tooling];

const snippet = (path: string, text: string): Source => ({ path, text });

const plan = readLayers(`
| layer | folders | contents |
| --- | --- | --- |
| 3 | \`app\` | |
| 2 | \`orders\` \`review\` | |
| 1 | \`ledger\` | |
| 0 | \`core\` | |`);
const planned = ['src/app/start.ts', 'src/orders/a.ts', 'src/review/a.ts', 'src/ledger/a.ts', 'src/core/a.ts'].map((path) =>
  snippet(path, ''),
);

test('the layer table of ARCHITECTURE.md names every folder of src/, and src/ has no loose files', () => {
  expect(folderViolations(layers, server)).toEqual([]);
});

test('rejects a loose file, a folder without a layer, and a layer without its folder', () => {
  expect(folderViolations(plan, planned)).toEqual([]);
  expect(folderViolations(plan, [...planned, snippet('src/loose.ts', ''), snippet('src/extra/a.ts', '')])).toEqual([
    'src/loose.ts is a loose file: move it into the folder of its layer',
    'src/extra/ has no layer in ARCHITECTURE.md',
  ]);
  expect(folderViolations(plan, planned.slice(2))).toEqual([
    'ARCHITECTURE.md names src/app/, which does not exist',
    'ARCHITECTURE.md names src/orders/, which does not exist',
  ]);
});

test('every import leads to a lower layer', () => {
  expect(importViolations(layers, all)).toEqual([]);
});

test.each([
  ['of a higher layer', 'src/ledger/a.ts', `import { b } from '../orders/a.ts';`],
  ['of a type of a higher layer', 'src/ledger/a.ts', `import type { B } from '../orders/a.ts';`],
  ['of an inline type of a higher layer', 'src/ledger/a.ts', `type B = import('../orders/a.ts').B;`],
  ['of a higher layer at run time', 'src/ledger/a.ts', `const b = await import('../orders/a.ts');`],
  ['of the composition root', 'src/orders/a.ts', `import { b } from '../app/start.ts';`],
  ['of the same layer', 'src/orders/a.ts', `import { b } from '../review/a.ts';`],
  ['of a loose file', 'src/orders/a.ts', `import { b } from '../seed.ts';`],
  ['by a folder without a layer', 'src/extra/a.ts', `import { b } from '../ledger/a.ts';`],
  ['of a file outside src/', 'src/orders/a.ts', `import { b } from '../../test/support/database.ts';`],
  ['of the same layer in a test', 'src/orders/a.test.ts', `import { b } from '../review/a.ts';`],
  ['of the service by the dashboards', 'web/src/app/a.tsx', `import { b } from '../../../src/ledger/a.ts';`],
  ['of a feature by the design system', 'web/src/ui/a.tsx', `import { b } from '../features/billing/invoices.tsx';`],
  ['by a re-export', 'src/orders/a.ts', `export { b } from '../ledger/a.ts';`],
  ['by a re-export of everything', 'src/orders/a.ts', `export * from '../ledger/a.ts';`],
  ['without an extension', 'src/orders/a.ts', `import { b } from '../ledger/a';`],
  ['of a computed path', 'src/orders/a.ts', `const b = await import(somewhere);`],
])('rejects an import %s', (_what, path, text) => {
  expect(importViolations(plan, [snippet(path, text)])).toHaveLength(1);
});

test('accepts imports of lower layers, of the same folder, of packages, and of test support in tests', () => {
  const down = `import { b } from '../ledger/a.ts'; import type { C } from './c.ts'; import { readFileSync } from 'node:fs';`;
  expect(importViolations(plan, [snippet('src/orders/a.ts', down)])).toEqual([]);
  const support = `import { freshDatabase } from '../../test/support/database.ts';`;
  expect(importViolations(plan, [snippet('src/orders/a.test.ts', support)])).toEqual([]);
  expect(importViolations(plan, [snippet('web/src/features/a.tsx', `import { b } from '../ui/table.tsx';`)])).toEqual([]);
});

test('a process loads the service only when it serves: not before it starts the database, nor to supervise others', () => {
  const started = loadedWith('src/app/start.ts', server);
  expect(started).toContain('src/app/supervisor.ts');
  expect(started).not.toContain('src/app/server.ts');
  expect(loadedWith('src/app/worker.ts', server)).toContain('src/app/server.ts');
});

test('no files import each other in a cycle', () => {
  expect(importCycles(all)).toEqual([]);
});

test('rejects an import cycle, also through a third file and of types only', () => {
  const cycle = [
    snippet('src/orders/a.ts', `import { b } from './b.ts';`),
    snippet('src/orders/b.ts', `import type { C } from './c.ts';`),
    snippet('src/orders/c.ts', `import { a } from './a.ts';`),
  ];
  expect(importCycles(cycle)).toEqual(['src/orders/a.ts → src/orders/b.ts → src/orders/c.ts → src/orders/a.ts']);
  expect(importCycles(cycle.slice(1))).toEqual([]);
});

test('no file is longer than 600 lines', () => {
  expect(lengthViolations(all)).toEqual([]);
  expect(lengthViolations([snippet('src/orders/a.ts', 'a;\n'.repeat(601))])).toHaveLength(1);
});

test('a decision, and all it calls, reads no clock, no randomness, no network, no database and no setting', () => {
  expect(decisionViolations(server)).toEqual([]);
});

test.each([
  `const now = Date.now();`,
  `const now = new Date();`,
  `const now = Date();`,
  `const { now } = Date;`,
  `const random = Math.random();`,
  `const answer = fetch('https://shop.example');`,
  `const mode = process.env['MODE'];`,
  `const { env } = process;`,
  `const here = import.meta.url;`,
  `setTimeout(() => {}, 1);`,
  `const id = crypto.randomUUID();`,
  `const later = async () => 1;`,
  `async function later() {}`,
  `import { readFileSync } from 'node:fs';`,
  `import pino from 'pino';`,
  `import { realNow } from '../core/time.ts';`,
  `import { newId } from '../core/ids.ts';`,
  `import { dueOrders } from './sql.ts';`,
  `import { dueOrders } from './orders-sql.ts';`,
  `import type { Queryable } from '../db/database.ts';`,
])('a decision with %s is seen', (text) => {
  expect(decisionViolations([snippet('src/orders/decide-conversion.ts', text)])).toHaveLength(1);
  const called = [snippet('src/orders/decide-conversion.ts', `import { a } from './rules.ts';`), snippet('src/orders/rules.ts', text)];
  expect(decisionViolations(called)).toHaveLength(1);
});

test('a decision may use times and ids that it was given', () => {
  const text = `
    import type { Id } from '../core/ids.ts';
    import { plusDays } from '../core/time.ts';
    // Not Date.now(): the time comes in.
    export const decide = (facts: { now: Date; id: Id }) => new Date(plusDays(facts.now, 3).getTime());`;
  expect(decisionViolations([snippet('src/orders/decide-conversion.ts', text)])).toEqual([]);
});

test('the environment is read in src/core/config.ts only', () => {
  expect(environmentViolations([...server, ...otherRoots])).toEqual([]);
});

test('reading the environment elsewhere is seen', () => {
  const violations = (text: string) => environmentViolations([snippet('src/orders/a.ts', text)]);
  expect(violations(`const mode = process.env.MODE;`)).toHaveLength(1);
  expect(violations(`const mode = process['env'].MODE;`)).toHaveLength(1);
  expect(violations(`const { env } = process;`)).toHaveLength(1);
  expect(violations(`import { env } from 'node:process';`)).toHaveLength(1);
  expect(violations(`const folder = process.cwd();`)).toEqual([]);
});

test('no line is wider than 140 columns', () => {
  expect(widthViolations([...all, ...readSources('migrations/*.sql', 'web/**/*.{css,html}')])).toEqual([]);
});

test('a wide line is seen, unless one text that cannot be broken makes it wide', () => {
  const wide = 'x'.repeat(140);
  expect(widthViolations([snippet('src/a.ts', `\n// ${wide}`), snippet('src/b.ts', `const a = sql\`${wide}\`;`)])).toEqual([
    'src/a.ts:2 has 143 columns',
    'src/b.ts:1 has 156 columns',
  ]);
  expect(widthViolations([snippet('src/a.ts', `const a = '${wide}';\nconst b = \`\${a}${wide}\`;`)])).toEqual([]);
});

test('no file is a drawer for everything: each is named after its subject', () => {
  expect(nameViolations(all)).toEqual([]);
  expect(
    nameViolations(['src/orders/index.ts', 'src/utils.ts', 'src/orders/date-helper.test.ts'].map((path) => snippet(path, ''))),
  ).toHaveLength(3);
});

test('no test mocks our own code', () => {
  expect(mockViolations(all)).toEqual([]);
  expect(mockViolations([snippet('src/a.test.ts', `vi.mock('./b.ts'); vi.spyOn(b, 'c');`)])).toHaveLength(2);
});

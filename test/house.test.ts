import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  decisionFaults,
  environmentFaults,
  importFaults,
  mockFaults,
  nameFaults,
  planFaults,
  readHouse,
  widthFaults,
} from './support/house-rules.ts';
import { readSources, type Source } from './support/house-source.ts';

const house = readHouse(readFileSync('ARCHITECTURE.md', 'utf8'));
const server = readSources('src/**/*.{ts,js}');
const beside = readSources('{web,sdk,demo,cli}/**/*.{ts,tsx,js}');
const around = readSources('{test,scripts,bench}/**/*.{ts,tsx}', '*.ts');
const all = [...server, ...beside, ...around];

const snippet = (path: string, text: string): Source => ({ path, text });

test('the plan in ARCHITECTURE.md and the folders of src/ show the same rooms', () => {
  expect(planFaults(house, server)).toEqual([]);
});

const plan = readHouse(`
| floor | rooms | what is in them |
| --- | --- | --- |
| roof | \`main.ts\` | the front door |
| 2 | \`orders\` \`reviews\` | |
| 1 | \`ledger\` | |
| 0 | \`platform\` | |`);
const built = ['src/main.ts', 'src/orders/a.ts', 'src/reviews/a.ts', 'src/ledger/a.ts', 'src/platform/a.ts'].map((path) =>
  snippet(path, ''),
);

test('a room without a floor, a plan without its room and a stranger on the roof are seen', () => {
  expect(planFaults(plan, built)).toEqual([]);
  expect(planFaults(plan, [...built, snippet('src/attic/a.ts', ''), snippet('src/seed.ts', '')])).toEqual([
    'src/attic/ has no floor in ARCHITECTURE.md',
    'src/seed.ts is not on the roof in ARCHITECTURE.md',
  ]);
  expect(planFaults(plan, built.slice(2))).toEqual([
    'ARCHITECTURE.md names the room orders, which is gone',
    'ARCHITECTURE.md names main.ts on the roof, which is gone',
  ]);
});

test('imports go down: never up, never sideways, never through a third file', () => {
  expect(importFaults(house, all)).toEqual([]);
});

test.each([
  ['up', 'src/ledger/a.ts', `import { b } from '../orders/a.ts';`],
  ['up, a type only', 'src/ledger/a.ts', `import type { B } from '../orders/a.ts';`],
  ['up, a type in passing', 'src/ledger/a.ts', `type B = import('../orders/a.ts').B;`],
  ['up, while running', 'src/ledger/a.ts', `const b = await import('../orders/a.ts');`],
  ['up to the roof', 'src/orders/a.ts', `import { b } from '../main.ts';`],
  ['sideways', 'src/orders/a.ts', `import { b } from '../reviews/a.ts';`],
  ['from a room without a floor', 'src/attic/a.ts', `import { b } from '../ledger/a.ts';`],
  ['out of src/', 'src/orders/a.ts', `import { b } from '../../test/support/database.ts';`],
  ['sideways in a test', 'src/orders/a.test.ts', `import { b } from '../reviews/a.ts';`],
  ['out of the dashboards', 'web/a.tsx', `import { b } from '../src/ledger/a.ts';`],
  ['through a third file', 'src/orders/a.ts', `export { b } from '../ledger/a.ts';`],
  ['all of it through a third file', 'src/orders/a.ts', `export * from '../ledger/a.ts';`],
  ['without an extension', 'src/orders/a.ts', `import { b } from '../ledger/a';`],
  ['what only running tells', 'src/orders/a.ts', `const b = await import(somewhere);`],
])('an import %s is seen', (_what, path, text) => {
  expect(importFaults(plan, [snippet(path, text)])).toHaveLength(1);
});

test('imports down, within a room, of packages, and of the test support in tests are no faults', () => {
  const down = `import { b } from '../ledger/a.ts'; import type { C } from './c.ts'; import { readFileSync } from 'node:fs';`;
  expect(importFaults(plan, [snippet('src/orders/a.ts', down)])).toEqual([]);
  expect(importFaults(plan, [snippet('src/orders/a.test.ts', `import { freshDatabase } from '../../test/support/database.ts';`)])).toEqual(
    [],
  );
  expect(importFaults(plan, [snippet('src/main.ts', `import { b } from './orders/a.ts';`)])).toEqual([]);
});

test('a decision, and all it calls, reads no clock, no chance, no network, no database and no setting', () => {
  expect(decisionFaults(server)).toEqual([]);
});

test.each([
  `const now = Date.now();`,
  `const now = new Date();`,
  `const now = Date();`,
  `const { now } = Date;`,
  `const chance = Math.random();`,
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
  `import { realNow } from '../platform/time.ts';`,
  `import { newId } from '../platform/ids.ts';`,
  `import { dueOrders } from './sql.ts';`,
  `import { dueOrders } from './orders-sql.ts';`,
  `import type { Queryable } from '../platform/database/database.ts';`,
])('a decision with %s is seen', (text) => {
  expect(decisionFaults([snippet('src/orders/decide-conversion.ts', text)])).toHaveLength(1);
  const called = [snippet('src/orders/decide-conversion.ts', `import { a } from './rules.ts';`), snippet('src/orders/rules.ts', text)];
  expect(decisionFaults(called)).toHaveLength(1);
});

test('a decision may use times and ids that it was given', () => {
  const text = `
    import type { Id } from '../platform/ids.ts';
    import { plusDays } from '../platform/time.ts';
    // Not Date.now(): the time comes in.
    export const decide = (facts: { now: Date; id: Id }) => new Date(plusDays(facts.now, 3).getTime());`;
  expect(decisionFaults([snippet('src/orders/decide-conversion.ts', text)])).toEqual([]);
});

test('the environment is read in src/platform/config.ts only', () => {
  expect(environmentFaults([...server, ...beside])).toEqual([]);
});

test('reading the environment elsewhere is seen', () => {
  const faults = (text: string) => environmentFaults([snippet('src/orders/a.ts', text)]);
  expect(faults(`const mode = process.env.MODE;`)).toHaveLength(1);
  expect(faults(`const mode = process['env'].MODE;`)).toHaveLength(1);
  expect(faults(`const { env } = process;`)).toHaveLength(1);
  expect(faults(`import { env } from 'node:process';`)).toHaveLength(1);
  expect(faults(`const folder = process.cwd();`)).toEqual([]);
});

test('no line is wider than 140 columns', () => {
  expect(widthFaults([...all, ...readSources('migrations/*.sql', 'web/**/*.{css,html}')])).toEqual([]);
});

test('a wide line is seen, unless one text that cannot be broken makes it wide', () => {
  const wide = 'x'.repeat(140);
  expect(widthFaults([snippet('src/a.ts', `\n// ${wide}`), snippet('src/b.ts', `const a = sql\`${wide}\`;`)])).toEqual([
    'src/a.ts:2 has 143 columns',
    'src/b.ts:1 has 156 columns',
  ]);
  expect(widthFaults([snippet('src/a.ts', `const a = '${wide}';\nconst b = \`\${a}${wide}\`;`)])).toEqual([]);
});

test('no file is a drawer for everything: each is named after its subject', () => {
  expect(nameFaults(all)).toEqual([]);
  expect(
    nameFaults(['src/orders/index.ts', 'src/utils.ts', 'src/orders/date-helper.test.ts'].map((path) => snippet(path, ''))),
  ).toHaveLength(3);
});

test('nothing stands in the place of our own code in a test', () => {
  expect(mockFaults(all)).toEqual([]);
  expect(mockFaults([snippet('src/a.test.ts', `vi.mock('./b.ts'); vi.spyOn(b, 'c');`)])).toHaveLength(2);
});

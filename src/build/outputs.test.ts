import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fingerprintSources, isCurrent, outputFolder, outputNames, sources, writeRecord } from './outputs.mjs';

/** A small program. */
let root = '';
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
/** As `ensureBuilt` does. */
function build(): void {
  mkdirSync(outputFolder('service', root), { recursive: true });
  writeRecord(outputFolder('service', root), fingerprintSources('service', root));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tributary-outputs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of ['web/page.tsx', 'locales/en/page.json', 'sdk/src/cents.ts', 'src/app/start.ts', 'src/orders/order.ts'])
    write(path, path);
  write('package-lock.json', '{}');
});

test('an output is current until one of its sources changes', () => {
  expect(isCurrent('service', root)).toBe(false);
  build();
  expect(isCurrent('service', root)).toBe(true);
  write('src/orders/order.ts', 'src/orders/ORDER.ts');
  expect(isCurrent('service', root)).toBe(false);
});

test.for<readonly [string, () => void]>([
  ['a new source', () => write('src/orders/refund.ts', '')],
  ['a removed source', () => rmSync(join(root, 'src/orders/order.ts'))],
  ['a renamed source', () => renameSync(join(root, 'src/orders/order.ts'), join(root, 'src/orders/sale.ts'))],
  [
    'text that moved from one source to the next',
    () => {
      write('src/app/start.ts', 'src/app/start.tss');
      write('src/orders/order.ts', 'rc/orders/order.ts');
    },
  ],
  ['other versions of packages', () => write('package-lock.json', '{ "packages": {} }')],
  ['a damaged record', () => write('dist/service/.built-from', '{')],
  ['a removed output', () => rmSync(join(root, 'dist/service'), { recursive: true })],
])('%s makes it outdated', ([, change]) => {
  build();
  change();
  expect(isCurrent('service', root)).toBe(false);
});

test.for<readonly [string, () => void]>([
  ['a source with another time and the same content', () => utimesSync(join(root, 'src/orders/order.ts'), 1, 1)],
  ['a test', () => write('src/orders/order.test.ts', '')],
  ['a source of the other output', () => write('web/page.tsx', 'changed')],
  [
    'another folder of the program',
    () => {
      renameSync(root, `${root}-moved`);
      root = `${root}-moved`;
    },
  ],
])('%s leaves it current', ([, change]) => {
  build();
  change();
  expect(isCurrent('service', root)).toBe(true);
});

test('the folders of an output hold what its build reads', () => {
  expect(outputNames.map((output) => [output, sources[output]])).toEqual([
    ['service', ['src', 'locales', 'sdk/src']],
    ['web', ['web', 'locales', 'sdk/src']],
  ]);
});

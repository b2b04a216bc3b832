import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const hook = new URL('resolve-relative.mjs', import.meta.url).href;
let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'tributary-resolve-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function run(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', hook, join(folder, 'main.mjs')], { encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

test('relative imports of all kinds, packages, and modules of Node load as without the hook', () => {
  const files = {
    'package.json': '{ "type": "module", "imports": { "#alias": "./lib/alias.mjs" } }',
    'main.mjs': `
      import { join } from 'node:path';
      import { typed } from './lib/typed.ts';
      import { plain } from './lib/plain.mjs';
      import { script } from './lib/script.js';
      import common from './lib/common.cjs';
      import data from './lib/data.json' with { type: 'json' };
      import { packaged } from 'some-package';
      import { alias } from '#alias';
      const { later } = await import('./lib/later.ts?version=2');
      console.log([join('a', 'b'), typed, plain, script, common.common, data.data, packaged, alias, later].join(' '));`,
    'lib/typed.ts': `import { up } from '../up.ts'; export const typed: string = 'typed ' + up;`,
    'up.ts': `export const up: number = 1;`,
    'lib/plain.mjs': `export const plain = 'plain';`,
    'lib/script.js': `export const script = 'script';`,
    'lib/common.cjs': `exports.common = require('./required.cjs');`,
    'lib/required.cjs': `module.exports = 'common';`,
    'lib/data.json': `{ "data": "data" }`,
    'lib/alias.mjs': `export const alias = 'alias';`,
    'lib/later.ts': `export const later: string = new URL(import.meta.url).search;`,
    'node_modules/some-package/package.json': '{ "name": "some-package", "type": "module", "exports": "./index.mjs" }',
    'node_modules/some-package/index.mjs': `export { packaged } from './inner.mjs';`,
    'node_modules/some-package/inner.mjs': `export const packaged = 'packaged';`,
  };
  expect(run(files)).toEqual({ status: 0, stdout: 'a/b typed 1 plain script common data packaged alias ?version=2', stderr: '' });
});

test('the error names a file that does not exist', () => {
  const { status, stderr } = run({ 'main.mjs': `import './missing.ts';` });
  expect(status).toBe(1);
  expect(stderr).toContain(join(folder, 'missing.ts'));
});

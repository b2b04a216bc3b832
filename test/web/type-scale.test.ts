import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sizes = /font-size: ([^;]+);/g;

test('shared components of the dashboards take their text sizes from the theme', () => {
  const files = globSync('web/src/ui/*.css', { cwd: root });
  expect(files.length).toBeGreaterThan(20);
  const others = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(sizes)].flatMap(([, size = '']) =>
      // A key value follows the width of its box.
      /^var\(--text-[a-z]+\)$|^clamp\(|em$/.test(size) ? [] : [`${file}: ${size}`],
    ),
  );
  expect(others).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the build of the dashboards installs every package that they import', () => {
  const files = globSync(['web/src/**/*.{ts,tsx,css}', 'web/*.ts', 'locales/*.ts'], { exclude: ['**/*.test.*'] });
  const specifiers = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?:from |import |import\(|url\()'([^'.$][^']*)'/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !/^(messages|node):/.test(name)),
  );
  const names = new Set(
    specifiers.map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    ),
  );
  expect(JSON.parse(readFileSync('web/build-packages.json', 'utf8'))).toEqual([...names].toSorted());
});

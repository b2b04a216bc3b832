import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';

const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];

/** `src/app/routes/routes.ts`, [links](docs/decisions) and pictures; what has a placeholder or a star names no single file. */
function pathsIn(text: string): readonly string[] {
  const inCode = [...text.matchAll(/`((?:src|test|docs|scripts|migrations|web|bench|sdk|demo)\/[^`\s]*)`/g)];
  const inLinks = [...text.matchAll(/\]\(([^)#:]+)\)/g)];
  const inPictures = [...text.matchAll(/ src(?:set)?="([^":]+)"/g)];
  return [...inCode, ...inLinks, ...inPictures].map(([, path = '']) => path).filter((path) => !/[*…<]|NNNN/.test(path));
}

test.each(pages)('every file that %s names exists', (page) => {
  expect(pathsIn(readFileSync(page, 'utf8')).filter((path) => !existsSync(path))).toEqual([]);
});

test('a path in the text is found, be it in code, in a link or in a picture', () => {
  expect(pathsIn('See `src/gone.ts`, [this](docs/gone.md) and `src/*/decide-*`.')).toEqual(['src/gone.ts', 'docs/gone.md']);
  expect(pathsIn('<source srcset="dark.webp"><img src="light.webp">')).toEqual(['dark.webp', 'light.webp']);
});

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

test('every heading that README.md links to exists, in README.md and in other pages', () => {
  const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)];
  expect(links.length).toBeGreaterThan(0);
  for (const [, page = '', heading] of links) expect(headingsIn(readFileSync(page || 'README.md', 'utf8'))).toContain(heading);
});

/** For all pictures together, because every clone downloads them. */
const picturesBytesMax = 1_200_000;

test('README.md shows every picture of docs/pictures, each for light and for dark, and together they are small', () => {
  const text = readFileSync('README.md', 'utf8');
  const paths = readdirSync('docs/pictures').map((name) => `docs/pictures/${name}`);
  expect(paths.length).toBeGreaterThan(5);
  for (const path of paths) {
    const isDark = path.endsWith('-dark.webp');
    expect(text).toContain(isDark ? `srcset="${path}"` : `src="${path}"`);
    expect(paths).toContain(path.replace(isDark ? '-dark.' : '-light.', isDark ? '-light.' : '-dark.'));
  }
  expect(paths.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(picturesBytesMax);
});

test('docs/platforms.md shows every picture of docs/platform-pictures, and together they are small', () => {
  const shown = [...readFileSync('docs/platforms.md', 'utf8').matchAll(/\]\((platform-pictures\/[^)]+)\)/g)].map(
    ([, path]) => `docs/${path}`,
  );
  const paths = readdirSync('docs/platform-pictures').map((name) => `docs/platform-pictures/${name}`);
  expect(shown.toSorted()).toEqual(paths.toSorted());
  expect(paths.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(picturesBytesMax / 2);
});

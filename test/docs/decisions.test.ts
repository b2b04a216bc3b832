import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'docs/decisions';
const readme = readFileSync(`${folder}/README.md`, 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));

const sections = /^Context, Decision, (?:Alternatives, )?Consequences, Enforced by$/;

test.each(records)('$name has a unique number, a status, and the required sections', ({ name, text }) => {
  const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1] ?? 'none';
  expect(text).toMatch(new RegExp(`^# ${number}\\. \\S.*\n\n\\*\\*Status:\\*\\* \\S`));
  expect(records.filter((record) => record.name.startsWith(number))).toHaveLength(1);
  expect([...text.matchAll(/^## (.+)/gm)].map(([, title]) => title).join(', ')).toMatch(sections);
});

test.each(records)('every file under "Enforced by" in $name exists', ({ text }) => {
  const enforcing = [...(text.split('## Enforced by')[1] ?? '').matchAll(/`([\w.*-]*\/[\w./*-]*)`/g)].map(([, path = '']) => path);
  expect(enforcing.filter((path) => !path.includes('*') && !existsSync(path))).toEqual([]);
});

test.each(records)('every link in $name points to an existing file', ({ text }) => {
  const linked = [...text.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, path = '']) => path);
  expect(linked.filter((path) => !existsSync(`${folder}/${path}`))).toEqual([]);
});

test('README.md lists every record with its title, in order', () => {
  const listed = readme.split('\n').filter((line) => /^- \[\d/.test(line));
  const titled = records.map(({ name, text }) => `- [${name.slice(0, 4)}](${name}) ${/^# \d{4}\. (.+)/.exec(text)?.[1]}`);
  expect(listed).toEqual(titled.toSorted());
});

/** The package names before the colon of each line in the dependency list. */
const explained = readme
  .slice(readme.indexOf('## Dependencies'))
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .flatMap((line) => [...(line.split(': ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

type Package = Readonly<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

test('README.md explains exactly the direct dependencies', () => {
  const direct = [dependencies, devDependencies, optionalDependencies].flatMap((group) => Object.keys(group));
  expect(explained.toSorted()).toEqual(direct.toSorted());
});

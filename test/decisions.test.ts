import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = 'docs/decisions';
const readme = readFileSync(`${folder}/README.md`, 'utf8');
const records = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));

const sections = ['Context', 'Decision', 'Cost', 'Held by'];

test.each(records)('$name has a number of its own, and says context, decision, cost and what holds it', ({ name, text }) => {
  const number = /^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1] ?? 'none';
  expect(text).toMatch(new RegExp(`^# ${number} · \\S`));
  expect(records.filter((record) => record.name.startsWith(number))).toHaveLength(1);
  expect([...text.matchAll(/^\*\*([^*]+)\.\*\*/gm)].map(([, title]) => title)).toEqual(sections);
});

test.each(records)('the files that hold $name are there', ({ text }) => {
  const holders = [...(text.split('**Held by.**')[1] ?? '').matchAll(/`([\w.*-]*\/[\w./*-]*)`/g)].map(([, path = '']) => path);
  expect(holders.filter((path) => !path.includes('*') && !existsSync(path))).toEqual([]);
});

test('the list of records names each with its title, in order', () => {
  const listed = readme.split('\n').filter((line) => /^- \[\d/.test(line));
  const titled = records.map(({ name, text }) => `- [${name.slice(0, 4)}](${name}) · ${/^# \d{4} · (.+)/.exec(text)?.[1]}`);
  expect(listed).toEqual(titled.toSorted());
});

/** The names before the colon of each line of the list. */
const explained = readme
  .slice(readme.indexOf('## Dependencies'))
  .split('\n')
  .filter((line) => line.startsWith('- '))
  .flatMap((line) => [...(line.split(': ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

type Package = Readonly<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>;
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Package;

test('every dependency has its line, and no line is about one that is gone', () => {
  const named = [dependencies, devDependencies, optionalDependencies].flatMap((group) => Object.keys(group));
  expect(explained.toSorted()).toEqual(named.toSorted());
});

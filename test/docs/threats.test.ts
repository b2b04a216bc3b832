import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const lines = readFileSync('docs/security.md', 'utf8').split('\n');
const begin = lines.indexOf('## Threats');
const section = lines.slice(
  begin,
  lines.findIndex((line, at) => at > begin && line.startsWith('## ')),
);
const rows = section
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('every row of the threat table names an attacker, an attack, a defense, and a test', () => {
  expect(rows.length).toBeGreaterThan(35);
  for (const row of rows) expect([row.length, row.filter((cell) => cell === '')]).toEqual([4, []]);
});

test('every test that the threat table names exists', () => {
  const missing = rows.filter(([, , , shown = '']) => {
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(shown) ?? [];
    return file === '' || !existsSync(file) || !readFileSync(file, 'utf8').includes(title);
  });
  expect(missing).toEqual([]);
});

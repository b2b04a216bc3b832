import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { levelOne, levelTwo } from './asvs-requirements.ts';

const page = readFileSync('docs/security-asvs.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| v5.0.0-'))
  .map((line) => {
    const [, id = '', level = '', status = '', where = '', reason = ''] = line.split('|').map((cell) => cell.trim());
    const files = [...where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    return { id: id.replace('v5.0.0-', ''), level, status, files, reason };
  });

test('the list names every requirement of levels 1 and 2 exactly once, with its level, in order', () => {
  const ofLevel = (wanted: string) => rows.filter(({ level }) => level === wanted).map(({ id }) => id);
  expect(ofLevel('1')).toEqual(levelOne);
  expect(ofLevel('2')).toEqual(levelTwo);
  expect(rows).toHaveLength(levelOne.length + levelTwo.length);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test('every row has a valid status, a reason, and existing files', () => {
  expect(rows.filter(({ status }) => !['met', 'not met', 'not applicable'].includes(status))).toEqual([]);
  expect(rows.filter(({ reason }) => reason === '')).toEqual([]);
  expect(rows.filter(({ files }) => files.some((file) => !existsSync(file)))).toEqual([]);
  expect(rows.filter(({ status, files }) => status === 'met' && files.length === 0)).toEqual([]);
});

test('the counts in its introduction equal those of its rows', () => {
  const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
  const summary = `${count('met')} are met, ${count('not met')} are not met, and ${count('not applicable')} are not applicable`;
  expect(page).toContain(`Of ${rows.length} requirements ${summary}`);
});

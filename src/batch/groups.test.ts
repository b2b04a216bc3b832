import { expect, test } from 'vitest';
import { createGroups } from './groups.ts';

type Group = { readonly name: string; size: number };
const open = () => {
  const created: string[] = [];
  const create = (name: string): Group => {
    created.push(name);
    return { name, size: 0 };
  };
  return { created, groups: createGroups<Group>(create, ({ size }) => size === 0) };
};

test('a group that became empty is used again', () => {
  const { created, groups } = open();
  const first = groups.get('a');
  first.size = 1;
  first.size = 0;
  expect(groups.get('a')).toBe(first);
  expect(groups.find('a')).toBe(first);
  expect(groups.find('b')).toBeUndefined();
  expect(created).toEqual(['a']);
});

test('keeps at most a thousand empty groups, and never forgets one that is not empty', () => {
  const { groups } = open();
  const kept = groups.get('kept');
  kept.size = 1;
  for (let count = 0; count < 999; count += 1) groups.get(`empty ${count}`);
  expect(groups.find('empty 0'), 'a thousand groups are kept').toBeDefined();
  const next = groups.get('one more');
  expect(groups.find('empty 0')).toBeUndefined();
  expect(groups.find('empty 998')).toBeUndefined();
  expect([groups.find('kept'), groups.find('one more')]).toEqual([kept, next]);
});

test('while more groups wait, looks for empty ones only when their number has doubled', () => {
  const { groups } = open();
  for (let count = 0; count < 1_500; count += 1) groups.get(`full ${count}`).size = 1;
  for (let count = 0; count < 500; count += 1) groups.get(`empty ${count}`);
  expect(groups.find('empty 0')).toBeDefined();
  groups.get('one more');
  expect(groups.find('empty 0')).toBeUndefined();
  expect(groups.find('full 1499')).toBeDefined();
});

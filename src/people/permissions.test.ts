import { expect, test } from 'vitest';
import { creatorPermissions, isCreatorPermission, isStorePermission, namesOf, roles, storePermissions } from './permissions.ts';

test('an owner may do all in a store, and everybody of the team may see it', () => {
  expect(new Set(roles.owner)).toEqual(new Set(namesOf(storePermissions)));
  for (const role of namesOf(roles)) expect(roles[role]).toContain('store:read');
});

test('only an owner decides about the team: who may invite could make themselves anything', () => {
  expect(namesOf(roles).filter((role) => new Set<string>(roles[role]).has('team:write'))).toEqual(['owner']);
});

test('the words of stores and of creators do not mix', () => {
  expect(namesOf(storePermissions).some(isCreatorPermission)).toBe(false);
  expect(namesOf(creatorPermissions).some(isStorePermission)).toBe(false);
  for (const word of ['toString', '__proto__', 'constructor', '']) expect(isStorePermission(word) || isCreatorPermission(word)).toBe(false);
});

import { expect, test } from 'vitest';
import { creatorPermissions, isCreatorPermission, isStorePermission, roles, storePermissions } from './permissions.ts';
import { namesOf } from '../core/names-of.ts';

test('an owner has every permission in a store, and every team member can view it', () => {
  expect(new Set(roles.owner)).toEqual(new Set(namesOf(storePermissions)));
  for (const role of namesOf(roles)) expect(roles[role]).toContain('store:read');
});

test('only an owner can change the team, because an inviter could grant themselves any role', () => {
  expect(namesOf(roles).filter((role) => new Set<string>(roles[role]).has('team:write'))).toEqual(['owner']);
});

test('permissions of stores and of creators do not overlap', () => {
  expect(namesOf(storePermissions).some(isCreatorPermission)).toBe(false);
  expect(namesOf(creatorPermissions).some(isStorePermission)).toBe(false);
  for (const word of ['toString', '__proto__', 'constructor', '']) expect(isStorePermission(word) || isCreatorPermission(word)).toBe(false);
});

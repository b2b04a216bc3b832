import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { decideAccess, type Access, type AccessFacts } from './decide-access.ts';
import type { Identity } from './identity.ts';

const id = <Kind extends string>() => newId<Kind>(new Date());
const [mine, theirs] = [id<'store'>(), id<'store'>()];
const [me, another] = [id<'crt'>(), id<'crt'>()];

const person: Identity = {
  actor: 'user_1',
  name: 'A person',
  isOperator: false,
  mustSetUpSecondFactor: false,
  stores: new Map([[mine, new Set(['store:read'] as const)]]),
  creator: { creatorId: me, permissions: new Set(['creator:read'] as const) },
  by: { is: 'session', userId: id<'user'>(), sessionId: id<'sess'>(), provedAt: new Date() },
};
const program: Identity = { ...person, by: { is: 'key', apiKeyId: id<'key'>(), scopes: new Set() } };
const operator: Identity = { ...person, isOperator: true, stores: new Map(), creator: null };

const anyone: Access = { allow: 'anyone' };
const signedIn: Access = { allow: 'signed in' };
const onlyPerson: Access = { allow: 'person' };
const onlyOperator: Access = { allow: 'operator' };
const actsForCreator: Access = { allow: 'operator', of: 'creator' };
const readsStore: Access = { allow: 'store', permission: 'store:read' };
const editsBilling: Access = { allow: 'store', permission: 'billing:write' };
const readsCreator: Access = { allow: 'creator', permission: 'creator:read' };
const editsCreator: Access = { allow: 'creator', permission: 'creator:write' };

const anonymous: AccessFacts = { identity: null, storeId: null, creatorId: null, subjectExists: false };

// Ordered from the widest access to the narrowest. Resources of other tenants are not found before any permission is checked.
test.each<[expected: string, what: string, access: Access, facts: Partial<AccessFacts>]>([
  ['allowed', 'anyone, without an identity', anyone, {}],
  ['not_signed_in', 'signed in, without an identity', signedIn, {}],
  ['not_signed_in', 'an operator only, without an identity', onlyOperator, {}],
  ['not_signed_in', 'a store that exists, without an identity', readsStore, { storeId: theirs, subjectExists: true }],
  ['allowed', 'signed in, a program', signedIn, { identity: program }],
  ['permission_missing', 'a person only, a program', onlyPerson, { identity: program }],
  ['allowed', 'a person only, a person', onlyPerson, { identity: person }],
  ['operator_only', 'an operator only, a person', onlyOperator, { identity: person }],
  ['allowed', 'an operator only, an operator', onlyOperator, { identity: operator }],
  [
    'operator_only',
    'an operator only, of a creator, the creator',
    actsForCreator,
    { identity: person, creatorId: me, subjectExists: true },
  ],
  ['not_found', 'an operator only, of a creator that does not exist', actsForCreator, { identity: operator, creatorId: me }],
  ['allowed', 'an operator only, of a creator that exists', actsForCreator, { identity: operator, creatorId: me, subjectExists: true }],
  ['allowed', 'a store that exists, an operator', editsBilling, { identity: operator, storeId: theirs, subjectExists: true }],
  ['not_found', 'a store that does not exist, an operator', editsBilling, { identity: operator, storeId: theirs }],
  ['not_found', 'a store with a malformed ID, an operator', editsBilling, { identity: operator }],
  ['allowed', 'a creator that exists, an operator', editsCreator, { identity: operator, creatorId: me, subjectExists: true }],
  ['not_found', 'a store with a malformed ID', readsStore, { identity: person }],
  ['not_found', "another's store", readsStore, { identity: person, storeId: theirs }],
  ['not_found', "another's store that exists", readsStore, { identity: person, storeId: theirs, subjectExists: true }],
  ['permission_missing', 'their own store without the permission', editsBilling, { identity: person, storeId: mine }],
  ['allowed', 'their own store with the permission', readsStore, { identity: person, storeId: mine }],
  ['not_found', 'a creator with a malformed ID', readsCreator, { identity: person }],
  ['not_found', 'another creator', readsCreator, { identity: person, creatorId: another, subjectExists: true }],
  ['not_found', 'a creator, a person who is not a creator', readsCreator, { identity: { ...person, creator: null }, creatorId: me }],
  ['permission_missing', 'their own creator without the permission', editsCreator, { identity: person, creatorId: me }],
  ['allowed', 'their own creator with the permission', readsCreator, { identity: person, creatorId: me }],
])('%s: %s', (expected, _what, access, facts) => {
  expect(decideAccess(access, { ...anonymous, ...facts })).toBe(expected);
});

import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { decideKeyRights, effectiveScopes, type KeyMaker } from './decide-key-rights.ts';

const storeId = newId<'store'>(new Date());
const creatorId = newId<'crt'>(new Date());
const madeBy = newId<'user'>(new Date());
const nobody: KeyMaker = { isOperator: false, hasSecondFactor: false, creatorId: null, role: null };
const ofStore = { kind: 'store', storeId, creatorId: null, scopes: ['store:read', 'team:write', 'commissions:review'], madeBy } as const;
const ofCreator = { kind: 'creator', storeId: null, creatorId, scopes: ['creator:read'], madeBy } as const;
const ofOperators = { kind: 'operator', storeId: null, creatorId: null, scopes: [], madeBy } as const;
const inStore = (maker: KeyMaker | null) => {
  const rights = decideKeyRights({ ...ofStore, maker }, 'live');
  return rights && [...(rights.stores.get(storeId) ?? [])];
};

test("a store's key has the scopes that its creator's current role grants", () => {
  expect(inStore({ ...nobody, role: 'owner' })).toEqual(['store:read', 'team:write', 'commissions:review']);
  expect(inStore({ ...nobody, role: 'marketer' })).toEqual(['store:read', 'commissions:review']);
  expect(inStore({ ...nobody, role: 'viewer' })).toEqual(['store:read']);
});

test('a key has no rights once its creator has left the store, the operators or the creator, or the account is gone', () => {
  expect(inStore(nobody)).toBeNull();
  expect(inStore(null)).toBeNull();
  expect(decideKeyRights({ ...ofOperators, maker: nobody }, 'sandbox')).toBeNull();
  expect(decideKeyRights({ ...ofCreator, maker: nobody }, 'sandbox')).toBeNull();
  expect(decideKeyRights({ ...ofCreator, maker: { ...nobody, creatorId } }, 'sandbox')?.creator?.permissions).toEqual(
    new Set(['creator:read']),
  );
});

test("an operator's key works in live mode only while its creator has a second factor; in the sandbox it works without one", () => {
  const maker = { ...nobody, isOperator: true };
  for (const key of [ofOperators, ofStore, ofCreator]) {
    const barred = decideKeyRights({ ...key, maker }, 'live');
    expect(barred).toMatchObject({ isOperator: false, mustSetUpSecondFactor: true, creator: null });
    expect(barred?.stores.size).toBe(0);
  }
  expect(decideKeyRights({ ...ofOperators, maker }, 'sandbox')).toMatchObject({ isOperator: true, mustSetUpSecondFactor: false });
  expect(decideKeyRights({ ...ofOperators, maker: { ...maker, hasSecondFactor: true } }, 'live')).toMatchObject({ isOperator: true });
});

test("a key that no account created never has an operator's rights in live mode", () => {
  expect(decideKeyRights({ ...ofOperators, madeBy: null, maker: null }, 'live')).toBeNull();
  expect(decideKeyRights({ ...ofOperators, madeBy: null, maker: null }, 'sandbox')?.isOperator).toBe(true);
});

test('the effective scopes of a key are those that its rights still include', () => {
  expect(effectiveScopes({ ...ofStore, maker: { ...nobody, role: 'marketer' } }, 'live')).toEqual(['store:read', 'commissions:review']);
  expect(effectiveScopes({ ...ofStore, maker: nobody }, 'live')).toEqual([]);
  expect(effectiveScopes({ ...ofCreator, maker: { ...nobody, creatorId } }, 'live')).toEqual(['creator:read']);
  const runs = { ...ofOperators, scopes: ['billing:run'] } as const;
  const operator = { ...nobody, isOperator: true };
  expect(effectiveScopes({ ...runs, maker: operator }, 'live')).toEqual([]);
  expect(effectiveScopes({ ...runs, maker: { ...operator, hasSecondFactor: true } }, 'live')).toEqual(['billing:run']);
});

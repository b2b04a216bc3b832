import { afterAll, expect, test } from 'vitest';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { modulesApp, type Caller, type Json } from '../support/modules-app.ts';

type World = {
  readonly caller: Caller;
  readonly store: string;
  readonly program: string;
  readonly member: string;
  readonly key: string;
  readonly creator: string;
};

// Runs before the tests are collected, because the route table determines which tests exist.
const app = await modulesApp();
const [alices, bobs] = [await world(), await world()];
afterAll(() => app.close());

async function world(): Promise<World> {
  const caller = await app.person();
  const store: Json = (await caller('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
  const key: Json = (await caller('POST', `/stores/${store.id}/postback-keys`)).json;
  const program: Json = (await caller('POST', `/stores/${store.id}/programs`, { name: 'P', landing_url: 'https://shop.example' })).json;
  const creator: Json = (await app.operator('POST', '/creators', { name: 'Cora', email: 'cora@people.example' })).json;
  const member: Json = (await caller('POST', `/stores/${store.id}/programs/${program.id}/members`, { creator_id: creator.id })).json;
  return { caller, store: store.id, program: program.id, member: member.id, key: key.id, creator: creator.id };
}

/** A valid body for each operation that has one, so that only the ownership of the resource can be wrong. */
const bodies: Readonly<Record<string, (world: World) => object>> = {
  'PATCH /stores/:store': () => ({ name: 'Mine now' }),
  'PUT /stores/:store/payment-method': () => ({ sandbox: 'declined' }),
  'POST /stores/:store/programs': () => ({ name: 'P', landing_url: 'https://shop.example' }),
  'PATCH /stores/:store/programs/:program': () => ({ name: 'Mine now', hold_days: 1 }),
  'POST /stores/:store/programs/:program/terms': () => ({ order_rules: [{ basis_points: 1 }], subscription_rules: [], pays: 'order' }),
  'POST /stores/:store/programs/:program/terms/cancel': () => ({ version: 1 }),
  'POST /creators/:creator/memberships/:member/accept-terms': () => ({ version: 1 }),
  'POST /stores/:store/programs/:program/terms-preview': () => ({ order_rules: [], subscription_rules: [] }),
  'POST /stores/:store/programs/:program/members': ({ creator }) => ({ creator_id: creator }),
  'PATCH /stores/:store/programs/:program/members/:member': () => ({ status: 'removed' }),
  'POST /stores/:store/programs/:program/links': ({ creator }) => ({ creator_id: creator }),
  'PATCH /creators/:creator': () => ({ name: 'Mine now' }),
  'PUT /creators/:creator/payout-method': () => ({ sandbox: 'declined' }),
  'PUT /creators/:creator/payout-minimum': () => ({ minimum_cents: 5_000 }),
};

const scoped = app.routes
  .map(({ method, path }) => ({ method, path: path.replace('/api/v1', '') }))
  .filter(({ path }) => path.includes('/:'));

/** An id of the same length as the other tenant's id that does not exist. */
const unusedId = (id: string) => `${id.slice(0, -6)}000000`;

const filled = (path: string, ids: Omit<World, 'caller'>): string =>
  path.replace(/:(store|program|member|key|creator)/g, (_all, name: 'store' | 'program' | 'member' | 'key' | 'creator') => ids[name]);

async function everything(): Promise<string> {
  const tables = [
    'stores',
    'postback_keys',
    'payment_methods',
    'programs',
    'terms',
    'members',
    'links',
    'link_codes',
    'creators',
    'payout_methods',
    'audit_log',
  ];
  const { rows } = await app.platform.database.pool.query(
    tables
      .map((table) => `select '${table}' as name, (select json_agg(t order by t::text)::text from ${table} t) as rows`)
      .join(' union all '),
  );
  return JSON.stringify(rows);
}

const operatorsOnly = (path: string) => path.endsWith('suspend') || path.endsWith('/suspensions');

test.each(scoped.filter(({ path }) => !operatorsOnly(path)))(
  '$method $path: another tenant’s resource gets the same bytes as one that does not exist, and nothing changes',
  async ({ method, path }) => {
    const body = bodies[`${method} ${path}`]?.(bobs);
    const before = await everything();
    const ask = (ids: Partial<World>) => alices.caller(method, filled(path, { ...alices, ...ids }), body);

    const swaps = (['store', 'program', 'member', 'key', 'creator'] as const).filter((name) => path.includes(`:${name}`));
    const answers = [];
    // First each id of the path alone belongs to the other tenant, then all of them do.
    for (const name of swaps) {
      answers.push(await ask({ [name]: bobs[name] }), await ask({ [name]: unusedId(bobs[name]) }), await ask({ [name]: 'x' }));
    }
    answers.push(await ask(bobs));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await everything()).toBe(before);
  },
);

test.each(scoped)('$method $path: a request without credentials is answered 401 for any resource', async ({ method, path }) => {
  const ask = (ids: Omit<World, 'caller'>) => app.anonymous(method, filled(path, ids), bodies[`${method} ${path}`]?.(bobs));
  const missing = {
    store: unusedId(bobs.store),
    program: bobs.program,
    member: bobs.member,
    key: bobs.key,
    creator: unusedId(bobs.creator),
  };
  const [there, notThere] = [await ask(bobs), await ask(missing)];
  expect([there.status, there.json.reason, there.text]).toEqual([401, 'not_signed_in', notThere.text]);
});

test.each(scoped.filter(({ path }) => path.startsWith('/stores') && !operatorsOnly(path)))(
  '$method $path: a creator’s key finds no store, and a store’s key no other store',
  async ({ method, path }) => {
    const creatorId = readPublicId('crt', bobs.creator);
    const storeId = readPublicId('store', alices.store);
    invariant(creatorId !== null && storeId !== null, 'a created resource has an id');
    const body = bodies[`${method} ${path}`]?.(bobs);
    expect((await app.keyOfCreator(creatorId)(method, filled(path, bobs), body)).status).toBe(404);
    const all = ['store:read', 'store:manage', 'integration:write', 'programs:write', 'billing:write'] as const;
    expect((await app.keyOfStore(storeId, all)(method, filled(path, bobs), body)).status).toBe(404);
  },
);

test.each(scoped.filter(({ method, path }) => method !== 'GET' && path.startsWith('/stores')))(
  '$method $path: a member with read-only access is rejected, and nothing changes',
  async ({ method, path }) => {
    const storeId = readPublicId('store', alices.store);
    invariant(storeId !== null, 'a store has an id');
    const before = await everything();
    const answer = await app.keyOfStore(storeId, ['store:read'])(method, filled(path, alices), bodies[`${method} ${path}`]?.(alices));
    expect([answer.status, answer.json.reason]).toEqual([403, 'permission_missing']);
    expect(await everything()).toBe(before);
  },
);

test.each(scoped.filter(({ path }) => path.startsWith('/creators') && !operatorsOnly(path)))(
  '$method $path: a creator has access to itself and to no other creator',
  async ({ method, path }) => {
    const creatorId = readPublicId('crt', alices.creator);
    invariant(creatorId !== null, 'a creator has an id');
    const key = app.keyOfCreator(creatorId);
    const body = bodies[`${method} ${path}`]?.(alices);
    const [other, missing] = [
      await key(method, filled(path, bobs), body),
      await key(method, filled(path, { ...bobs, creator: unusedId(bobs.creator) }), body),
    ];
    expect([other.status, other.text]).toEqual([404, missing.text]);
    expect((await key(method, filled(path, alices), body)).status).toBe(200);
  },
);

import { afterAll, expect, test } from 'vitest';
import { roles, type Role } from '../../src/people/permissions.ts';
import { namesOf } from '../../src/core/names-of.ts';
import type { OpenApi, Operation } from '../../src/http/openapi-document.ts';
import { exampleOf } from '../../src/http/api-docs-page.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { addTeamMember, fullWorld, onePixelPng, rowsOf, type FullWorld } from '../support/isolation-world.ts';
import type { ApiResponse } from '../support/merchant.ts';
import { anonymousClient, createPerson, type ApiClient } from '../support/portal.ts';
import { startTestService } from '../support/service.ts';
import { isFull, randomFrom, seed, sizeOf, reportMeasurement } from '../support/size.ts';

// Runs before the tests are collected: the API document determines which tests exist, so a new route is tested automatically.
const service = await startTestService();
const [ours, theirs] = [await fullWorld(service), await fullWorld(service)];
const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
afterAll(() => service.stop());

const theirCreator = readPublicId('crt', theirs.merchant.world.creator.id);
invariant(theirCreator !== null, 'the seed names its creator');
const before = await rowsOf(theirs.merchant, theirCreator);

const isRole = (role: string): role is Role => Object.hasOwn(roles, role);

const people: ReadonlyArray<readonly [role: string, ask: ApiClient]> = [
  ['owner', ours.owner],
  ...(await Promise.all(
    namesOf(roles)
      .filter((role) => role !== 'owner')
      .map(async (role): Promise<readonly [string, ApiClient]> => [role, await addTeamMember(ours.merchant, role)]),
  )),
  ['creator', ours.creator],
  ['stranger', (await createPerson(service)).ask],
  ['nobody', anonymousClient(service)],
];

/** Any person with a program's address may read its page and apply, so these do not depend on the owner. */
const open = ['/programs/{program}', '/programs/{program}/applications'];

/** Valid bodies for operations whose schema example is invalid; otherwise the body would be rejected before the ownership check. */
const bodies: Readonly<Record<string, object>> = {
  'POST /stores/{store}/programs/{program}/links': { creator_id: ours.merchant.world.creator.id },
  'POST /stores/{store}/programs/{program}/bonuses': { creator_id: ours.merchant.world.creator.id, amount_cents: 500, reason: 'Isolated' },
  'POST /stores/{store}/programs/{program}/codes': { creator_id: ours.merchant.world.creator.id, code: 'ISOLATED' },
  'PUT /stores/{store}/programs/{program}/members/{member}/group': { group_id: null },
  'PUT /stores/{store}/stripe': { signing_secret: 'whsec_isolatedOfTheTests' },
  'PUT /stores/{store}/shopify': { shop: 'isolated.example', client_id: 'isolated-client', client_secret: 'isolated-secret' },
  'POST /stores/{store}/programs/{program}/assets': { name: 'Caption', text: 'Good coffee.' },
  'PUT /stores/{store}/programs/{program}/page': { description: 'Good coffee.', accent_color: '#0d6475', faq: [], is_listed: true },
  'PUT /stores/{store}/programs/{program}/page/logo': { image_data: onePixelPng.toString('base64') },
  'POST /stores/{store}/programs/{program}/asset-files': onePixelPng,
};

/** Required query parameters. */
const queries: Readonly<Record<string, string>> = { 'POST /stores/{store}/programs/{program}/asset-files': '?name=pixel' };

type Route = { readonly method: string; readonly path: string; readonly operation: Operation; readonly needed: string | undefined };
const routes = Object.entries(document.paths).flatMap(([whole, methods]) =>
  Object.entries(methods).map(([method, operation]): Route => {
    const path = whole.replace('/api/v1', '');
    return { method: method.toUpperCase(), path, operation, needed: operation['x-permission'] };
  }),
);
const withParameters = routes.filter(({ path }) => path.includes('{') && !path.startsWith('/api/'));

/** The parameters of a path that name a resource; each is the path up to that parameter. */
const placesOf = (path: string): readonly string[] =>
  [...path.matchAll(/\{\w+\}/g)].map(({ 0: name, index }) => path.slice(0, index + name.length));

function idOf({ ids }: FullWorld, place: string): string {
  const id = ids[place];
  invariant(id !== undefined, `the worlds of this test have one of everything: make one for ${place} in test/support/isolation-world.ts`);
  return id;
}

/** An id of the same length as another tenant's id that does not exist. */
const nobodys = (id: string): string => `${id.slice(0, -6)}000000`;

const filled = (path: string, swapped: Readonly<Record<string, string>> = {}): string =>
  placesOf(path).reduceRight((text, place) => {
    const name = place.slice(place.lastIndexOf('{'));
    return `${text.slice(0, place.length - name.length)}${swapped[place] ?? idOf(ours, place)}${text.slice(place.length)}`;
  }, path);

const knownIds = { store: ours.merchant.world.store.id, program: ours.merchant.world.program.id, creator: ours.merchant.world.creator.id };

function bodyOf({ method, path, operation }: Route): unknown {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return bodies[`${method} ${path}`] ?? (schema && exampleOf(knownIds, schema));
}

/** Retries requests above the limit of 200 a second. */
async function send(ask: ApiClient, route: Route, swapped?: Readonly<Record<string, string>>): Promise<ApiResponse> {
  const query = queries[`${route.method} ${route.path}`] ?? '';
  const response = await ask(route.method, `${filled(route.path, swapped)}${query}`, bodyOf(route));
  if (response.status !== 429) return response;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return send(ask, route, swapped);
}

const has = (role: string, needed: string | undefined): boolean => isRole(role) && roles[role].some((permission) => permission === needed);

/** The expected response for a resource that belongs to another tenant or does not exist. */
function expectedOf(role: string, { path, needed }: Route, place: string): string {
  if (path === '/programs/{program}') return '404 not_found';
  if (role === 'nobody') return '401 not_signed_in';
  // This check comes before the program look-up: a person has to become a creator first.
  if (path === '/programs/{program}/applications' && role !== 'creator') return '409 conflict';
  if (needed === 'operator') return '403 operator_only';
  const isInOwnStore = place !== '/stores/{store}' && place.startsWith('/stores/') && isRole(role);
  return isInOwnStore && !has(role, needed) ? '403 permission_missing' : '404 not_found';
}

/**
 * A resource of another tenant is not found before any role matters, so `npm test` sends these requests, which are most of this file, as an
 * owner, a creator, and a person with neither. What each role may do in its own store is tested for all of them below.
 */
const foreign = isFull ? people : people.filter(([role]) => ['owner', 'creator', 'stranger'].includes(role));

test.each(withParameters)('$method $path: another tenant’s resource is answered exactly like a missing one', async (route) => {
  for (const [role, ask] of foreign) {
    for (const place of placesOf(route.path)) {
      const none = await send(ask, route, { [place]: nobodys(idOf(theirs, place)) });
      expect(`${none.status} ${none.json?.reason}`, `${role}, nothing at ${place}`).toBe(expectedOf(role, route, place));
      if (open.includes(route.path)) continue;
      const other = await send(ask, route, { [place]: idOf(theirs, place) });
      expect([other.status, other.text], `${role}, another’s at ${place}`).toEqual([none.status, none.text]);
    }
  }
});

/** The event stream does not end; a requester without access is rejected like on any other route. */
const endless = '/stores/{store}/tracking-log/stream';

test.each(withParameters.filter(({ path, needed }) => path.startsWith('/stores/') && needed !== 'operator'))(
  '$method $path: the store’s own people have access by role, and other requesters cannot detect that it exists',
  async (route) => {
    for (const [role, ask] of people) {
      const may = has(role, route.needed);
      if (may && (route.method !== 'GET' || route.path === endless)) continue;
      const { status, json } = await send(ask, route);
      if (may) expect([401, 403, 404], role).not.toContain(status);
      else
        expect(`${status} ${json?.reason}`, role).toBe(
          isRole(role) ? '403 permission_missing' : role === 'nobody' ? '401 not_signed_in' : '404 not_found',
        );
    }
  },
);

test.each(withParameters.filter(({ path, needed }) => path.startsWith('/creators/') && needed !== 'operator'))(
  '$method $path: the creator has access, and other requesters cannot detect that it exists',
  async (route) => {
    for (const [role, ask] of people) {
      if (role === 'creator' && route.method !== 'GET') continue;
      const { status, json } = await send(ask, route);
      if (role === 'creator') expect([401, 403, 404]).not.toContain(status);
      else expect(`${status} ${json?.reason}`, role).toBe(role === 'nobody' ? '401 not_signed_in' : '404 not_found');
    }
  },
);

/** Outside of /api/v1; test/api/metrics.test.ts covers its access. */
const elsewhere = '/metrics';
const ofOperators = routes.filter(({ path, needed }) => needed === 'operator' && !path.startsWith('/api/') && path !== elsewhere);

test.each(ofOperators)('$method $path: rejects every requester that is not an operator, whatever their role', async (route) => {
  for (const [role, ask] of people) {
    const { status, json } = await send(ask, route);
    expect(`${status} ${json?.reason}`, role).toBe(role === 'nobody' ? '401 not_signed_in' : '403 operator_only');
  }
});

/** These name no other resource: each reads or changes what belongs to the requester, or is a way to sign in. */
const aboutOneself = [
  'GET /session',
  'POST /session',
  'DELETE /session',
  'POST /session/proof',
  'GET /sessions',
  'GET /stores',
  'POST /stores',
  'GET /sandbox/clock',
  'POST /sign-ups',
  'POST /password-resets',
  'POST /one-time-links/read',
  'POST /one-time-links/use',
  'PATCH /profile',
  'GET /profile/devices',
  'GET /profile/api-keys',
  'POST /profile/end-all',
  'GET /profile/export',
  'POST /profile/erase',
  'PUT /password',
  'GET /profile/email',
  'POST /profile/email',
  'DELETE /profile/email',
  'POST /email-changes/read',
  'POST /email-changes/confirm',
  'POST /email-changes/undo',
  'POST /second-factor',
  'POST /second-factor/confirm',
  'DELETE /second-factor',
  'POST /second-factor/replacement',
  'POST /second-factor/replacement/confirm',
  'POST /creators/me',
  'GET /profile/notifications',
  'GET /profile/notifications/unread',
  'GET /profile/program-invitations',
];

test('every route of the document is in one of these tables, or is known to be about the requester', () => {
  const inTables = new Set([...withParameters, ...ofOperators]);
  const left = routes.filter((route) => !inTables.has(route) && !route.path.startsWith('/api/') && route.path !== elsewhere);
  expect(left.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(aboutOneself.toSorted());
});

test('responses about the requester contain no ids of other tenants', async () => {
  const { store, creator, logins } = theirs.merchant.world;
  for (const [role, ask] of people) {
    for (const route of aboutOneself.filter((one) => one.startsWith('GET '))) {
      const { text } = await ask('GET', route.slice('GET '.length));
      for (const name of [store.id, creator.id, logins.merchant.email, logins.creator.email])
        expect(text, `${role} ${route}`).not.toContain(name);
    }
  }
});

const swaps = sizeOf('swaps');

test(`${swaps} random swaps of several path parameters: another tenant’s resource is answered like one that does not exist`, async () => {
  const several = withParameters.filter(({ path }) => !open.includes(path));
  const swapsEach = Math.ceil(swaps / people.length);
  const swapOften = async ([role, ask]: (typeof people)[number], place: number): Promise<void> => {
    const prng = randomFrom(seed + place);
    for (let count = 0; count < swapsEach; count += 1) {
      const route = prng.oneOf(several);
      const places = placesOf(route.path);
      const sure = prng.oneOf(places);
      const chosen = places.filter((each) => each === sure || prng.isOneIn(2));
      const of = (idAt: (each: string) => string) => Object.fromEntries(chosen.map((each) => [each, idAt(each)]));
      const none = await send(
        ask,
        route,
        of((each) => nobodys(idOf(theirs, each))),
      );
      const other = await send(
        ask,
        route,
        of((each) => idOf(theirs, each)),
      );
      const at = `${role}, ${route.method} ${route.path}, another’s at ${chosen.join(' and ')}`;
      expect([401, 403, 404, 409], at).toContain(none.status);
      expect([other.status, other.text], at).toEqual([none.status, none.text]);
    }
  };
  // Runs in parallel: each requester is a different person with a separate limit.
  await Promise.all(people.map(swapOften));
  reportMeasurement({
    what: 'requests with randomly swapped IDs',
    measured: `${swapsEach * people.length} swaps on ${several.length} operations by ${people.length} roles, all answered like unknown IDs`,
    limit: 'the same bytes as for unknown IDs',
  });
});

test("none of the requests changed the other tenants' data", async () => {
  expect(await rowsOf(theirs.merchant, theirCreator)).toBe(before);
});

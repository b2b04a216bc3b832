import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { openPageInspector } from '../../src/capture/page-inspector.ts';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import * as creators from '../../src/creators/creators-api.ts';
import * as suspensions from '../../src/creators/suspensions-api.ts';
import { creatorExists } from '../../src/creators/creators-sql.ts';
import * as links from '../../src/creators/links-api.ts';
import * as members from '../../src/creators/members-api.ts';
import * as keys from '../../src/merchants/postback-keys.ts';
import * as payment from '../../src/merchants/payment-methods.ts';
import * as programs from '../../src/merchants/programs.ts';
import * as stores from '../../src/merchants/stores.ts';
import { storeExists } from '../../src/merchants/stores-sql.ts';
import * as terms from '../../src/merchants/program-terms.ts';
import * as termsChanges from '../../src/merchants/terms-changes-api.ts';
import type { Identity } from '../../src/people/identity.ts';
import { mountApi, type ApiRoute, type Method } from '../../src/people/request-pipeline.ts';
import { creatorPermissions, isCreatorPermission, roles, type StorePermission } from '../../src/people/permissions.ts';
import { listRolesOf } from '../../src/people/team-sql.ts';
import { insertUser } from '../../src/people/users-sql.ts';
import { readConfig } from '../../src/core/config.ts';
import { createCrashPoints } from '../../src/core/crash-points.ts';
import { createServer } from '../../src/http/server.ts';
import { newId, type Id } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { invariant } from '../../src/core/invariant.ts';
import { ownAddressOf } from '../../src/http/own-address.ts';
import type { Platform } from '../../src/runtime/platform.ts';
import { createSecrets } from '../../src/core/secrets.ts';
import { realNow } from '../../src/core/time.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { apiRoutes } from '../../src/app/routes/routes.ts';
import { freshDatabase } from './database.ts';
import { tenantsOf } from './tenants.ts';

// Untyped JSON responses, which only tests read.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export type ApiResponse = { readonly status: number; readonly json: Json; readonly text: string; readonly headers: Headers };
export type Caller = (method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<ApiResponse>;

export type ModulesApp = {
  readonly platform: Platform;
  /** The part of routes.ts that belongs to the two modules. */
  readonly routes: readonly ApiRoute[];
  /** Business time is fixed until it is moved. */
  readonly moveTo: (time: Date) => void;
  readonly operator: Caller;
  readonly anonymous: Caller;
  /** A user with a session, who owns no store yet. */
  readonly person: () => Promise<Caller>;
  readonly keyOfStore: (storeId: Id<'store'>, permissions: readonly StorePermission[]) => Caller;
  readonly keyOfCreator: (creatorId: Id<'crt'>) => Caller;
  readonly sessionOfCreator: (creatorId: Id<'crt'>, provedAt: Date) => Caller;
  readonly close: () => Promise<void>;
};

const start = new Date('2026-03-01T12:00:00.000Z');

const modules = {
  ...stores,
  ...keys,
  ...payment,
  ...programs,
  ...terms,
  ...termsChanges,
  ...creators,
  ...suspensions,
  ...members,
  ...links,
};
const ours = new Set<unknown>(Object.values(modules));

/**
 * The merchants and creators modules behind a real server, with a real database. Only the identity is set by the test, instead of a
 * sign-in.
 */
export async function modulesApp(mode: 'sandbox' | 'live' = 'sandbox'): Promise<ModulesApp> {
  let now = start;
  const platform = await openPlatform(mode, () => now);
  const ring = await openKeyRing(platform);
  const providers = openProviders(platform);
  const all = apiRoutes({ ring, providers, inspector: openPageInspector() });
  // Endpoints that are created for their route are not exported.
  const isMade = (path: string) => /-method$|\/stores\/:store$|\/terms$|\/terms-preview$/.test(path);
  const routes = all.filter(({ endpoint, path }) => ours.has(endpoint) || isMade(path));

  const known = new Map<string, () => Promise<Identity>>();
  const identify = async ({ headers }: FastifyRequest) => (await known.get(headers.authorization ?? '')?.()) ?? null;
  const errors: unknown[] = [];
  const app = createServer({
    trustedProxies: [],
    problemFormats: [],
    isTemporary: () => false,
    onError: (error) => void errors.push(error),
  });
  mountApi(app, platform, routes, { identify, limitRequests: async () => null, storeExists, creatorExists });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });

  const callAs = (name: string) => callerOf(address, name, errors);
  const callerWithIdentity = (identityNow: () => Promise<Identity>): Caller => {
    const name = `Test ${randomBytes(8).toString('hex')}`;
    known.set(name, identityNow);
    return callAs(name);
  };
  const by = (what: Partial<Identity>): Caller => {
    const identity = identityOf(what);
    return callerWithIdentity(async () => identity);
  };
  return {
    platform,
    routes,
    moveTo: (time) => void (now = time),
    operator: by({ isOperator: true }),
    anonymous: callAs('Test anonymous'),
    person: async () => callerWithIdentity(await newPerson(platform)),
    keyOfStore: (storeId, permissions) => by({ stores: new Map([[storeId, new Set(permissions)]]) }),
    keyOfCreator: (creatorId) => by({ creator: { creatorId, permissions: allOfCreator } }),
    sessionOfCreator: (creatorId, provedAt) =>
      by({ creator: { creatorId, permissions: allOfCreator }, by: session(newId(start), provedAt) }),
    async close() {
      await app.close();
      ring.close();
      await platform.database.end();
    },
  };
}

async function openPlatform(mode: 'sandbox' | 'live', now: () => Date): Promise<Platform> {
  const { database } = await freshDatabase();
  const read = readConfig({ MODE: mode, BASE_URL: 'https://tributary.example', PORT: '0' }, '/');
  invariant(read.is === 'good', 'the settings of the tests are valid');
  const log = createLog('silent');
  const clock = { now, refresh: async () => {} };
  const secrets = createSecrets(randomBytes(32));
  return {
    config: read.config,
    database,
    tenants: tenantsOf(database),
    clock,
    log,
    metrics: createMetrics(),
    secrets,
    jobsDatabase: database,
    own: ownAddressOf(read.config),
    ...createCrashPoints(null),
  };
}

const callerOf =
  (address: string, name: string, errors: readonly unknown[]): Caller =>
  async (method, path, body, headers = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: name, ...type, ...headers },
      body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    });
    const text = await response.text();
    invariant(response.status !== 500, `the request causes no internal error: ${String(errors.at(-1))}`);
    return { status: response.status, json: text === '' ? null : JSON.parse(text), text, headers: response.headers };
  };

const allOfCreator = new Set(Object.keys(creatorPermissions).filter(isCreatorPermission));

const session = (userId: Id<'user'>, provedAt: Date): Identity['by'] => ({ is: 'session', userId, sessionId: newId(start), provedAt });

const identityOf = (what: Partial<Identity>): Identity => ({
  actor: `test ${randomBytes(8).toString('hex')}`,
  name: 'a test',
  isOperator: false,
  mustSetUpSecondFactor: false,
  stores: new Map(),
  creator: null,
  by: { is: 'key', apiKeyId: newId(start), scopes: new Set() },
  ...what,
});

/** Permissions are read for each request, as for a session, so a store that was just created is included. */
async function newPerson({ database }: Platform): Promise<() => Promise<Identity>> {
  const userId = newId<'user'>(start);
  const email = `${userId}@people.example`;
  await insertUser(database, { userId, email, name: 'A person', passwordHash: null, isOperator: false, now: start });
  const identity = identityOf({ actor: `user ${userId}`, by: session(userId, realNow()) });
  return async () => {
    const held = await listRolesOf(database, userId);
    return { ...identity, stores: new Map(held.map(({ storeId, role }) => [storeId, new Set<StorePermission>(roles[role])])) };
  };
}

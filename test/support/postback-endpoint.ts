import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { registerPostbacks, type AuthenticatedAnswer, type PostbackEndpoint, type Postback } from '../../src/contract/postback-endpoint.ts';
import type { FoundKey } from '../../src/contract/request-checks.ts';
import { contractDialect, type Outcome } from '../../src/contract/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { portOf } from './plain-server.ts';
import { ask, requestText, type RawAnswer } from './raw-socket.ts';

export type Integration = { readonly storeName: string };

/** The data that the endpoint's functions read and store; a test changes the former and reads the latter. */
export type World = {
  isFull: boolean;
  isDatabaseAway: boolean;
  isLogAway: boolean;
  lookupMs: number;
  handle: (postback: Postback<Integration>) => Promise<Outcome>;
  readonly lookups: string[];
  readonly postbacks: Postback<Integration>[];
  readonly logged: AuthenticatedAnswer<Integration>[];
  readonly unauthenticated: string[];
  readonly errors: unknown[];
};

export type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
};

export type TestEndpoint = {
  readonly world: World;
  readonly port: number;
  readonly send: (sent?: Sent) => Promise<RawAnswer | null>;
  readonly close: () => Promise<void>;
};

export const conversions = '/api/partner-network/postbacks/open/conversions';
export const bearer = { Authorization: 'Bearer good' };

/** Three stores and one key, in memory, behind the real endpoint on a real port. */
export async function startPostbackEndpoint(): Promise<TestEndpoint> {
  const world = freshWorld();
  const endpoint = createEndpoint(world);
  const app = createServer({
    trustedProxies: [],
    problemFormats: [contractDialect(endpoint.onUnauthenticated)],
    isTemporary: () => false,
    onError: (error) => world.errors.push(error),
    limits: { receiveMs: 2_000, receiveCheckMs: 50 },
  });
  const handle = async (postback: Postback<Integration>): Promise<Outcome> => {
    world.postbacks.push(postback);
    return world.handle(postback);
  };
  const fields = {};
  registerPostbacks(app, endpoint, [
    { path: 'conversions', operation: 'conversion', fields, handle },
    { path: 'v2/recurring/relationships', operation: 'relationship', fields, handle },
    { path: 'v2/recurring/relationships/end', operation: 'relationship_end', fields, handle },
  ]);
  // Dashboard pages, which are registered by a wildcard.
  app.get('/*', async () => ({ ok: true, reason: 'page' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const port = portOf(app);
  return { world, port, send: (sent) => ask(port, postbackText(sent)), close: async () => app.close() };
}

/** A valid conversion, with the given changes; a null header is omitted. */
export function postbackText({ method = 'POST', path = conversions, headers = {}, body = '{"order_id":"1"}' }: Sent = {}): Buffer {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return requestText(method, path, { headers: { 'Content-Type': 'application/json', ...bearer, ...length, ...headers }, body });
}

function freshWorld(): World {
  return {
    isFull: false,
    isDatabaseAway: false,
    isLogAway: false,
    lookupMs: 0,
    handle: async () => ({ reason: 'recorded', ids: { conversion_id: 'com_1', transaction_id: 'ord_1' }, isLogged: true }),
    lookups: [],
    postbacks: [],
    logged: [],
    unauthenticated: [],
    errors: [],
  };
}

const goodKeyHash = createHash('sha256').update('good').digest();
const found: ReadonlyMap<string, FoundKey<Integration>> = new Map([
  ['open', { is: 'open', integration: { storeName: 'Open' } }],
  ['archived', { is: 'archived', integration: { storeName: 'Archived' } }],
  ['disabled', { is: 'disabled', integration: { storeName: 'Disabled' } }],
]);

function createEndpoint(world: World): PostbackEndpoint<Integration> {
  return {
    findKey: async (trackingKey, postbackKeyHash) => {
      world.lookups.push(trackingKey);
      if (world.lookupMs === Number.POSITIVE_INFINITY) await new Promise(() => {});
      if (world.lookupMs > 0) await wait(world.lookupMs);
      if (world.isDatabaseAway) throw new Error('the database is away');
      return (postbackKeyHash.equals(goodKeyHash) ? found.get(trackingKey) : undefined) ?? { is: 'unknown' };
    },
    limiter: { take: () => (world.isFull ? null : () => {}) },
    retryAfterSeconds: () => 7,
    now: () => new Date('2026-03-01T12:00:00Z'),
    onAnswered: () => {},
    onAuthenticated: async (answer) => {
      if (world.isLogAway) throw new Error('the database is away');
      world.logged.push(answer);
    },
    onUnauthenticated: (reason) => world.unauthenticated.push(reason),
    onError: (error) => world.errors.push(error),
  };
}

export function expectRefusal(answer: RawAnswer | null, status: number, reason: string): void {
  expect(answer).toMatchObject({ status, json: { ok: false, reason } });
  const keysInOrder = status === 400 ? ['ok', 'reason', 'message', 'field', 'retry'] : ['ok', 'reason', 'message', 'retry'];
  expect(Object.keys(answer?.json ?? {})).toEqual(keysInOrder);
  expect(answer?.headers['cache-control']).toBe('no-store');
  expect(answer?.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.keys(answer?.headers ?? {}).filter((name) => name.startsWith('access-control'))).toEqual([]);
}

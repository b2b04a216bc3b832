import { createHash } from 'node:crypto';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import { mintClickId } from '../../src/contract/click-id.ts';
import type { Database } from '../../src/db/database.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, readPublicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { freshDatabase, testDatabase } from './database.ts';
import { startTestService, startTestServiceOn, type TestService, type World } from './service.ts';

// Untyped JSON responses, which only tests read.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;
export type ApiResponse = { readonly status: number; readonly text: string; readonly json: Json; readonly headers: Headers };
type Fields = Readonly<Record<string, unknown>>;
type HeaderFields = Readonly<Record<string, string>>;

/** A store's server that calls the service, with its dashboard, its shoppers, and the sandbox's clock. */
export type Merchant = {
  readonly service: TestService;
  readonly world: World;
  readonly database: Database;
  readonly storeId: Id<'store'>;
  /** The service's time, now or later by this duration. */
  readonly at: (plusMs?: number) => string;
  /** Follows the link like a shopper; returns the click ID that the store saves. */
  readonly click: (linkUrl?: string) => Promise<string>;
  /** A click as it was created at some time, without a row in the database. */
  readonly clickAt: (time: Date, linkUrl?: string) => Promise<string>;
  /** A valid order of 100.05 USD, now; with a new click unless one is given. */
  readonly order: (fields?: Fields) => Promise<Fields & { readonly order_id: string }>;
  readonly convert: (body: unknown, headers?: HeaderFields) => Promise<ApiResponse>;
  readonly reverse: (body: unknown, headers?: HeaderFields) => Promise<ApiResponse>;
  readonly post: (path: string, body: unknown, headers?: HeaderFields) => Promise<ApiResponse>;
  /** Calls the management API with the operator's key. */
  readonly api: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
  readonly moveClock: (advance: string) => Promise<void>;
  /** Advances to the next noon, because the effect of scheduled jobs over several days must not depend on the hour of the test run. */
  readonly moveToNoon: () => Promise<void>;
  /**
   * Advances to noon of a March 5, because results must not depend on the day of the test run: invoices are cut on the 1st, payouts on
   * December 15 have their own rules, and orders across the end of a month are on two statements. Must be called first: the jobs of the
   * skipped days do not run for these days.
   */
  readonly moveToSpring: () => Promise<void>;
  /** The current commission of an order. */
  readonly commissionOf: (orderId: string) => Promise<Commission>;
  /** The last entry of the tracking log about an order. */
  readonly logEntryOf: (orderId: string) => Promise<Json>;
};
export type Commission = {
  readonly commissionId: string;
  readonly state: string;
  readonly heldReason: string | null;
  readonly amountCents: bigint;
  readonly eligibleCents: bigint;
  readonly termsVersion: number;
  readonly attributionDays: number;
  readonly holdDays: number;
  readonly holdUntil: Date;
  readonly programId: string;
  readonly reversalReason: string | null;
};

const browser = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** The internal form of a store's ID: of an order, a subscription, an invoice, or an event. */
export const hashOf = (id: string): Buffer => createHash('sha256').update(id).digest();

export async function openMerchant(service?: TestService): Promise<Merchant> {
  const running = service ?? (await startTestService());
  return merchantIn(running, await running.seed());
}

/**
 * A merchant in a service that the test files of a process share, because starting a service takes a file most of a second. For files
 * that read only what belongs to their own sandbox, do not move the clock or verify the books, and change no table that all stores share.
 */
export const openSharedMerchant = async (): Promise<Merchant> => openMerchant(await sharedService('all'));

/** The same, without the queue. */
export const openSharedMerchantAlone = async (): Promise<Merchant> => openMerchant(await sharedService('web'));

type SharedRole = 'all' | 'web';
const sharedByRole = new Map<SharedRole, TestService>();
const isShared = (service: TestService): boolean => [...sharedByRole.values()].includes(service);

async function sharedService(role: SharedRole): Promise<TestService> {
  const service = sharedByRole.get(role) ?? (await startSharedService({ ROLE: role }));
  sharedByRole.set(role, service);
  return service;
}

/** Runs until the process of the tests ends. */
async function startSharedService(environment: Readonly<Record<string, string>>): Promise<TestService> {
  const { url, database } = await freshDatabase({ isShared: true });
  await database.end();
  const started = await startTestServiceOn(url, environment);
  return { ...started, stop: () => Promise.reject(new Error('other test files use this service')) };
}

/** Without the queue, which would do every minute what a test does step by step. */
export const openMerchantAlone = async (): Promise<Merchant> => openMerchant(await startTestService({ ROLE: 'web' }));

/** The other store of the seed's sandbox, as its own server uses it. */
export const otherMerchant = (merchant: Merchant): Merchant => {
  const { world } = merchant;
  const { id, tracking_key, postback_key, link_url } = world.other_store;
  const other = { ...world, store: { ...world.store, id, tracking_key, postback_key }, link: { ...world.link, url: link_url } };
  return merchantIn(merchant.service, other);
};

/** The merchants of a service share a pool: opening a connection and running the first statements on it takes longer than most tests. */
const databases = new WeakMap<TestService, Database>();

function databaseOf(service: TestService): Database {
  const open = databases.get(service);
  if (open !== undefined) return open;
  const database = testDatabase(service.databaseUrl);
  let ended: Promise<void> | undefined;
  const end = () => {
    databases.delete(service);
    return (ended ??= database.end());
  };
  const shared = { ...database, end };
  databases.set(service, shared);
  return shared;
}

export function merchantIn(service: TestService, world: World): Merchant {
  const { platform, url } = service;
  const database = databaseOf(service);
  const storeId = readPublicId('store', world.store.id);
  invariant(storeId, 'the seed names its store');
  const key = { authorization: `Bearer ${world.store.postback_key}` };
  const at = (plusMs = 0) => new Date(platform.clock.now().getTime() + plusMs).toISOString();
  const post = (path: string, body: unknown, headers: HeaderFields = key) =>
    call(`${url}/api/partner-network/postbacks/${world.store.tracking_key}/${path}`, 'POST', body, headers);
  const api = (method: string, path: string, body?: unknown) =>
    call(`${url}/api/v1${path}`, method, body, { authorization: `Bearer ${world.operator_key}` });
  const click = (linkUrl = world.link.url) => visit(url, codeIn(linkUrl));
  const moveClock = async (advance: string): Promise<void> => {
    invariant(!isShared(service), 'a test that moves the clock has its own service');
    const moved = await api('POST', '/sandbox/clock', { advance });
    invariant(moved.status === 200, `the clock moves: ${moved.text}`);
  };
  let orders = 0;
  return {
    service,
    world,
    database,
    storeId,
    at,
    click,
    clickAt: async (time, linkUrl = world.link.url) => mint(service, database, { time, code: codeIn(linkUrl) }),
    order: async (fields = {}) => ({
      order_id: `order ${(orders += 1)} of ${storeId.slice(-6)}`,
      click_id: 'click_id' in fields ? undefined : await click(),
      currency: 'USD',
      order_subtotal_cents: 10_005,
      occurred_at: at(),
      ...fields,
    }),
    convert: (body, headers) => post('conversions', body, headers),
    reverse: (body, headers) => post('reversals', body, headers),
    post,
    api,
    moveClock,
    moveToNoon: () => {
      const now = service.platform.clock.now().getTime();
      const noon = Math.floor(now / dayMs) * dayMs + dayMs / 2;
      return moveClock(`${Math.ceil((noon - now + (noon > now ? 0 : dayMs)) / minuteMs)}m`);
    },
    moveToSpring: () => {
      invariant(!isShared(service), 'a test that moves the clock has its own service');
      const { jobsDatabase, clock } = service.platform;
      return moveSandboxClock(jobsDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear() + 1, 2, 5, 12)));
    },
    commissionOf: (orderId) =>
      database.one<Commission>(sql`
        select c.commission_id, state, held_reason, amount_cents, c.eligible_cents, terms_version, attribution_days, hold_days, hold_until,
          c.program_id, reversal_reason
        from orders o join commissions c using (store_id, commission_id)
        where o.store_id = ${storeId} and o.order_hash = ${hashOf(orderId)}`),
    logEntryOf: (orderId) =>
      database.one(sql`select * from postback_log where store_id = ${storeId} and subject = ${orderId} order by postback_id desc limit 1`),
  };
}

async function call(url: string, method: string, body: unknown, headers: HeaderFields): Promise<ApiResponse> {
  const bytes = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const type = bytes === null || 'content-type' in headers ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers: { ...type, ...headers }, body: bytes });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? null : JSON.parse(text), headers: response.headers };
}

const codeIn = (linkUrl: string): string => linkUrl.slice(linkUrl.lastIndexOf('/') + 1);

export const visitLink = (serviceUrl: string, code: string): Promise<Response> =>
  fetch(`${serviceUrl}/r/${code}`, { redirect: 'manual', headers: { 'user-agent': browser } });

async function visit(serviceUrl: string, code: string): Promise<string> {
  const response = await visitLink(serviceUrl, code);
  return clickIn(response.headers.get('location'));
}

export function clickIn(location: string | null): string {
  const click = new URL(location ?? '').searchParams.get('rm_click');
  invariant(click !== null, 'the link redirects with a click');
  return click;
}

type Minted = { readonly time: Date; readonly code: string };

async function mint({ platform }: TestService, database: Database, { time, code }: Minted): Promise<string> {
  const { linkNumber } = await database.one<{ linkNumber: bigint }>(sql`select link_number from link_codes where code = ${code}`);
  const ring = await openKeyRing(platform);
  ring.close();
  return mintClickId({ kind: 'referral', at: time, linkNumber, keys: ring.keys() }).text;
}

/** Puts the commission of an order into a state directly, without the money and the time of the real transitions. */
export async function putCommission({ database, storeId, at }: Merchant, orderId: string, state: string): Promise<void> {
  const isBilled = ['billed', 'collected', 'paid'].includes(state);
  await database.run(sql`
    update commissions set state = ${state},
      approved_at = ${isBilled || state === 'approved' ? new Date(at()) : null}, rejected_at = ${state === 'rejected' ? new Date(at()) : null},
      invoice_id = ${isBilled ? newId(new Date(at())) : null}, payout_id = ${state === 'paid' ? newId(new Date(at())) : null},
      paid_at = ${state === 'paid' ? new Date(at()) : null}
    where store_id = ${storeId} and source_text = ${orderId}`);
}

/** Puts the commission of an order on hold directly, or ends the hold. */
export async function holdCommission({ database, storeId, at }: Merchant, orderId: string, reason: string | null): Promise<void> {
  const since = reason === null ? null : new Date(at());
  await database.run(sql`
    update commissions set held_reason = ${reason}, held_by = ${reason === null ? null : 'a test'}, held_since = ${since}
    where store_id = ${storeId} and source_text = ${orderId}`);
}

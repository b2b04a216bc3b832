import type { IncomingHttpHeaders } from 'node:http';
import { isEncoded, isJsonType } from '../http/body.ts';
import { readJson } from '../core/json.ts';
import { sha256 } from '../core/sha256.ts';
import { secondMs } from '../core/time.ts';
import { isObject, isTooDeep, nestingMax, type JsonObject } from './fields.ts';
import type { Outcome } from './reply.ts';
import { apiMessage } from '../messages/api-message.ts';

/** What the database knows about a key. A closed store comes with its integration, because the tracking log needs it. */
export type FoundKey<Integration> =
  | { readonly is: 'open' | 'archived' | 'disabled'; readonly integration: Integration }
  /** The tracking key is unknown, or the postback key is not one of its keys. Both give the same answer, so that a caller cannot tell. */
  | { readonly is: 'unknown' };

/** Rejects if the database is unavailable. Only "open" may come from a cache, at most two seconds old. */
export type FindKey<Integration> = (trackingKey: string, postbackKeyHash: Buffer) => Promise<FoundKey<Integration>>;

export type Authentication<Integration> =
  | { readonly is: 'rejected'; readonly reason: 'missing_postback_key' | 'invalid_postback_key' }
  | {
      readonly is: 'authenticated';
      readonly integration: Integration;
      readonly closed: 'store_archived' | 'integration_disabled' | null;
    };

type AuthAttempt = { readonly trackingKey: string; readonly headers: IncomingHttpHeaders };

/** Checks 3 and 4: the postback key, and whether its store takes postbacks. They read headers only. */
export async function authenticate<Integration>(
  { trackingKey, headers }: AuthAttempt,
  findKey: FindKey<Integration>,
): Promise<Authentication<Integration>> {
  const key = presentedKey(headers);
  if (key === null) return { is: 'rejected', reason: 'missing_postback_key' };
  if (!trackingKeyPattern.test(trackingKey)) return { is: 'rejected', reason: 'invalid_postback_key' };
  const found = await findKey(trackingKey, sha256(key));
  switch (found.is) {
    case 'unknown':
      return { is: 'rejected', reason: 'invalid_postback_key' };
    case 'archived':
      return { is: 'authenticated', integration: found.integration, closed: 'store_archived' };
    case 'disabled':
      return { is: 'authenticated', integration: found.integration, closed: 'integration_disabled' };
    case 'open':
      return { is: 'authenticated', integration: found.integration, closed: null };
  }
}

/** Every tracking key matches. Text that PostgreSQL cannot store does not, so it never reaches the database. */
const trackingKeyPattern = /^[\x21-\x7e]{1,100}$/;

/** A Bearer scheme without a token counts as no key. */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const bearer = /^bearer[ \t]+([^ \t].*)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const own = headers['x-service-postback-key'];
  return typeof own === 'string' && own !== '' ? own : null;
}

const cacheMs = 1.5 * secondMs;
const freshMs = secondMs;
const cachedKeysMax = 20_000;

/**
 * Caches only successful look-ups, and only for 1.5 s: a new key works immediately, a revoked one for at most 2 s. After one second, a
 * request looks the key up again while it and those after it use the cached answer, so that a busy store seldom waits for its key, and does
 * not look it up once for each request that arrives meanwhile. Requests with an uncached key share the look-up of the first one: after a
 * restart, each of them would open a database connection. Only an open key is shared: another may be newer than the look-up, or open
 * again, so those that wait look it up once more, together.
 */
export function cacheOpenKeys<Integration>(
  findKey: FindKey<Integration>,
  onUsed: (integration: Integration) => void,
): FindKey<Integration> {
  const cache = new Map<string, { readonly found: FoundKey<Integration>; readonly at: number; isRefreshing: boolean }>();
  const running = new Map<string, { readonly answer: Promise<FoundKey<Integration>>; readonly at: number }>();

  async function lookUp(name: string, ...of: Parameters<FindKey<Integration>>): Promise<FoundKey<Integration>> {
    const at = performance.now();
    const found = await findKey(...of);
    cache.delete(name);
    if (found.is !== 'open') return found;
    cache.set(name, { found, at, isRefreshing: false });
    if (cache.size > cachedKeysMax) for (const oldest of cache.keys()) if (cache.delete(oldest)) break;
    onUsed(found.integration);
    return found;
  }
  async function lookUpTogether(name: string, ...of: Parameters<FindKey<Integration>>): Promise<FoundKey<Integration>> {
    const earlier = running.get(name);
    if (earlier !== undefined && performance.now() - earlier.at < cacheMs) {
      const found = await earlier.answer;
      if (found.is === 'open') return found;
      const later = running.get(name);
      if (later !== undefined && later !== earlier) return later.answer;
    }
    const own = { answer: lookUp(name, ...of), at: performance.now() };
    running.set(name, own);
    try {
      return await own.answer;
    } finally {
      if (running.get(name) === own) running.delete(name);
    }
  }
  return async (trackingKey, postbackKeyHash) => {
    const name = `${trackingKey} ${postbackKeyHash.toString('latin1')}`;
    const cached = cache.get(name);
    const ageMs = cached === undefined ? Infinity : performance.now() - cached.at;
    if (cached === undefined || ageMs >= cacheMs) return lookUpTogether(name, trackingKey, postbackKeyHash);
    if (ageMs >= freshMs && !cached.isRefreshing) {
      cached.isRefreshing = true;
      // If this fails, the next request tries again, and those after 1.5 s fail themselves.
      lookUp(name, trackingKey, postbackKeyHash).catch(() => (cached.isRefreshing = false));
    }
    return cached.found;
  };
}

/** Check 5. */
export const postbackBytesMax = 16_384;

export type ParsedBody = { readonly is: 'parsed'; readonly json: JsonObject } | { readonly is: 'rejected'; readonly outcome: Outcome };

/** Check 6, and the part of check 7 that is the same for every operation. */
export function parseBody(headers: IncomingHttpHeaders, bytes: Buffer): ParsedBody {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== '' && !isJsonType(contentType)) return rejected({ reason: 'json_required' });
  if (isEncoded(headers)) return rejected({ reason: 'json_required' });
  const read = readJson(bytes);
  if (read.is === 'none') return rejected({ reason: 'json_required' });
  if (!isObject(read.value)) return rejected({ reason: 'invalid_payload', message: apiMessage('shared.body_not_an_object') });
  if (isTooDeep(read.value))
    return rejected({ reason: 'invalid_payload', message: apiMessage('request_checks.body_nested_more_than_levels', { nestingMax }) });
  return { is: 'parsed', json: read.value };
}

const rejected = (outcome: Outcome): ParsedBody => ({ is: 'rejected', outcome });

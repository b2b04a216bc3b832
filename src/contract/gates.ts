import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isEncoded, isJsonType } from '../platform/http/body.ts';
import { readJson } from '../platform/http/json.ts';
import { isObject, isTooDeep, nestingMax, type JsonObject } from './fields.ts';
import type { Outcome } from './reply.ts';

/** What the database says of a key. Of a store that is closed it says whose it is, for the tracking log. */
export type KeyFound<Integration> =
  | { readonly is: 'open' | 'archived' | 'disabled'; readonly integration: Integration }
  /** No such key at this tracking key, or no such tracking key: nobody outside can tell which. */
  | { readonly is: 'unknown' };

/** Rejects where the database is away. Only "open" may come from a cache, at most two seconds old. */
export type KeyLookUp<Integration> = (trackingKey: string, postbackKeyHash: Buffer) => Promise<KeyFound<Integration>>;

export type Opened<Integration> =
  | { readonly is: 'turned away'; readonly reason: 'missing_postback_key' | 'invalid_postback_key' }
  | {
      readonly is: 'let in';
      readonly integration: Integration;
      readonly closed: 'store_archived' | 'integration_disabled' | null;
    };

type Knock = { readonly trackingKey: string; readonly headers: IncomingHttpHeaders };

/** Gates 3 and 4, on headers alone. */
export async function openDoor<Integration>({ trackingKey, headers }: Knock, lookUp: KeyLookUp<Integration>): Promise<Opened<Integration>> {
  const key = presentedKey(headers);
  if (key === null) return { is: 'turned away', reason: 'missing_postback_key' };
  if (!trackingKeyShape.test(trackingKey)) return { is: 'turned away', reason: 'invalid_postback_key' };
  const found = await lookUp(trackingKey, hash('sha256', key, 'buffer'));
  switch (found.is) {
    case 'unknown':
      return { is: 'turned away', reason: 'invalid_postback_key' };
    case 'archived':
      return { is: 'let in', integration: found.integration, closed: 'store_archived' };
    case 'disabled':
      return { is: 'let in', integration: found.integration, closed: 'integration_disabled' };
    case 'open':
      return { is: 'let in', integration: found.integration, closed: null };
  }
}

/** No tracking key looks otherwise, and what is not storable text never reaches the database. */
const trackingKeyShape = /^[\x21-\x7e]{1,100}$/;

/** A Bearer without a token carries no key, so it counts as none. */
export function presentedKey(headers: IncomingHttpHeaders): string | null {
  const bearer = /^bearer[ \t]+([^ \t].*)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined) return bearer;
  const own = headers['x-service-postback-key'];
  return typeof own === 'string' && own !== '' ? own : null;
}

export type ReadReport = { readonly is: 'report'; readonly json: JsonObject } | { readonly is: 'refused'; readonly outcome: Outcome };

/** Gate 6, and of gate 7 what holds for every operation. */
export function readReport(headers: IncomingHttpHeaders, bytes: Buffer): ReadReport {
  const contentType = headers['content-type'] ?? '';
  if (contentType !== '' && !isJsonType(contentType)) return refused({ reason: 'json_required' });
  if (isEncoded(headers)) return refused({ reason: 'json_required' });
  const read = readJson(bytes);
  if (read.is === 'none') return refused({ reason: 'json_required' });
  if (!isObject(read.value)) return refused({ reason: 'invalid_payload', message: 'The body must be a JSON object.' });
  if (isTooDeep(read.value)) return refused({ reason: 'invalid_payload', message: `The body is nested deeper than ${nestingMax}.` });
  return { is: 'report', json: read.value };
}

const refused = (outcome: Outcome): ReadReport => ({ is: 'refused', outcome });

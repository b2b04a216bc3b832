import { readJson } from '../core/json.ts';
import { secondMs } from '../core/time.ts';
import { sendOutgoing, type OutgoingResult } from '../http/outgoing-request.ts';
import type { Platform } from '../runtime/platform.ts';
import { field, textIn, type ShopifyJson } from './json.ts';

/** Shopify serves each version for a year. */
const apiVersion = '2026-07';

const timeoutMs = 8 * secondMs;
const bytesMax = 2_000_000;

/** Why the shop's API could not be used. `explain-reason.ts` says what to do about each. */
export type AdminFailure =
  | 'shopify_unavailable'
  | 'shopify_throttled'
  | 'shopify_token_rejected'
  | 'shopify_scope_missing'
  | 'shopify_shop_closed'
  | 'shopify_error';

export type AdminResult<Value> =
  | { readonly is: 'read'; readonly value: Value }
  | { readonly is: 'failed'; readonly reason: AdminFailure; readonly message: string | null };

export const failed = (reason: AdminFailure, message: string | null = null) => ({ is: 'failed', reason, message }) as const;

export type Shop = { readonly shop: string; readonly token: string };
export type AdminCall = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/** One request to the GraphQL Admin API. Never throws. */
export async function callAdmin(platform: Platform, { shop, token }: Shop, call: AdminCall): Promise<AdminResult<ShopifyJson>> {
  const answer = await post(platform, shop, {
    path: `/admin/api/${apiVersion}/graphql.json`,
    headers: { 'x-shopify-access-token': token },
    body: call,
  });
  const failure = failureOf(answer);
  if (failure !== null) return failed(failure);
  const json = jsonOf(answer);
  const errors = field(json, 'errors');
  if (errors !== undefined) return failureOfErrors(errors);
  const data = field(json, 'data');
  return isObject(data) ? { is: 'read', value: data } : failed('shopify_unavailable');
}

export type Token = { readonly token: string; readonly expiresInSeconds: number | null; readonly refreshToken: string | null };

/** One request for a token. A grant that was used or revoked is `shopify_token_rejected`. */
export async function requestToken(
  platform: Platform,
  shop: string,
  grant: Readonly<Record<string, string>>,
): Promise<AdminResult<Token & { readonly scope: string }>> {
  const answer = await post(platform, shop, { path: '/admin/oauth/access_token', headers: {}, body: grant });
  if (answer.is === 'answered' && answer.status >= 400 && answer.status < 500 && answer.status !== 429)
    return failed('shopify_token_rejected', textIn(jsonOf(answer), 'error_description') ?? textIn(jsonOf(answer), 'error'));
  const failure = failureOf(answer);
  if (failure !== null) return failed(failure);
  const json = jsonOf(answer);
  const [token, seconds] = [textIn(json, 'access_token'), field(json, 'expires_in')];
  if (token === null) return failed('shopify_unavailable');
  const expiresInSeconds = typeof seconds === 'number' && seconds > 0 ? seconds : null;
  return {
    is: 'read',
    value: { token, expiresInSeconds, refreshToken: textIn(json, 'refresh_token'), scope: textIn(json, 'scope') ?? '' },
  };
}

type Post = { readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: object };

/** In tests a stand-in answers for all shops, each under its name. */
function post({ config }: Platform, shop: string, { path, headers, body }: Post): Promise<OutgoingResult> {
  const { shopifyApi: api, outgoingAllow } = config;
  const origin = api === null ? `https://${shop}` : `http://${api.host}:${api.port}/${shop}`;
  return sendOutgoing(
    {
      url: `${origin}${path}`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    },
    { allow: api === null ? outgoingAllow : [`${api.host}:${api.port}`], timeoutMs, bytesMax },
  );
}

function failureOf(answer: OutgoingResult): AdminFailure | null {
  if (answer.is !== 'answered') return 'shopify_unavailable';
  const { status } = answer;
  if (status === 401) return 'shopify_token_rejected';
  if (status === 403) return 'shopify_scope_missing';
  if (status === 402 || status === 404 || status === 423) return 'shopify_shop_closed';
  if (status === 429) return 'shopify_throttled';
  return status === 200 && !answer.isCut ? null : 'shopify_unavailable';
}

function jsonOf(answer: OutgoingResult): unknown {
  const json = answer.is === 'answered' ? readJson(answer.body) : null;
  return json?.is === 'json' ? json.value : null;
}

/** GraphQL answers 200 with errors. */
function failureOfErrors(errors: unknown): AdminResult<never> {
  const first: unknown = Array.isArray(errors) ? errors[0] : errors;
  const code = textIn(field(first, 'extensions'), 'code');
  if (code === 'THROTTLED') return failed('shopify_throttled');
  if (code === 'ACCESS_DENIED') return failed('shopify_scope_missing');
  return failed('shopify_error', textIn(first, 'message')?.slice(0, 300) ?? null);
}

const isObject = (value: unknown): value is ShopifyJson => typeof value === 'object' && value !== null && !Array.isArray(value);

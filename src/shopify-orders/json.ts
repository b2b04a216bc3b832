import { readJson } from '../core/json.ts';

/** What Shopify sends, before its fields are checked. */
export type ShopifyJson = Readonly<Record<string, unknown>>;

type Context = { readonly source?: string };

/** Parses the bytes of a webhook. IDs can exceed 2^53, so such a number is read as its digits. Undefined if they are no JSON. */
export function parseWebhook(bytes: Buffer): unknown {
  const json = readJson(bytes);
  if (json.is === 'none') return undefined;
  const keepDigits = (_name: string, value: unknown, { source = '' }: Context = {}): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source) ? source : value;
  return JSON.parse(bytes.toString('utf8'), keepDigits);
}

/** The value at a path such as `data.order`; undefined if a part is missing. */
export function field(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

export function textIn(json: unknown, path: string): string | null {
  const value = field(json, path);
  return typeof value === 'string' ? value : null;
}

export function listIn(json: unknown, path: string): readonly unknown[] {
  const value = field(json, path);
  return Array.isArray(value) ? value : [];
}

export function timeIn(json: unknown, path: string): Date | null {
  const text = textIn(json, path);
  const time = text === null ? null : new Date(text);
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/** The numeric ID of an object: a number in webhooks, and the end of `gid://shopify/Order/1` in GraphQL. */
export function numericId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' ? (/^(?:gid:\/\/shopify\/[A-Za-z]+\/)?(\d{1,20})$/.exec(text)?.[1] ?? null) : null;
}

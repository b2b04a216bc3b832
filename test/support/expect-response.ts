import { expect } from 'vitest';
import { reasons, type Reason, type Refusal } from '../../src/contract/reasons.ts';
import type { ApiResponse } from './merchant.ts';

type Said = { readonly retry: string; readonly message?: string; readonly field?: string };

/** Checks the whole error response, byte for byte, and its headers. */
export function expectRefused(response: ApiResponse, status: number, reason: Refusal, said: string | Said): void {
  const { retry, field = '', message = reasons[reason].means } = typeof said === 'string' ? { retry: said } : said;
  const body = { ok: false, reason, message, ...(status === 400 ? { field } : {}), retry };
  expect([response.status, response.text]).toEqual([status, JSON.stringify(body)]);
  expectHeaders(response, { isReplay: false });
}

/** Checks the whole success response, byte for byte, and its headers. */
export function expectAccepted(
  response: ApiResponse,
  reason: Reason,
  ids: Readonly<Record<string, string>>,
  { isReplay = false } = {},
): void {
  expect([response.status, response.text]).toEqual([200, JSON.stringify({ ok: true, reason, ...ids, message: reasons[reason].means })]);
  expectHeaders(response, { isReplay });
}

const requestIdShape = /^[0-9a-f-]{36}$/;

function expectHeaders({ status, headers }: ApiResponse, { isReplay }: { readonly isReplay: boolean }): void {
  const sent = Object.fromEntries(headers);
  expect(sent).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  expect(sent['request-id']).toMatch(requestIdShape);
  expect(Object.keys(sent).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(sent['idempotent-replayed']).toBe(isReplay ? 'true' : undefined);
  expect(sent['retry-after']).toBe(status === 503 ? '2' : undefined);
  expect(sent['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
}

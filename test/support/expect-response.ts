import { expect } from 'vitest';
import { reasons, type Reason, type Refusal } from '../../src/contract/reasons.ts';
import type { Came } from './merchant.ts';

type Said = { readonly retry: string; readonly message?: string; readonly field?: string };

/** Checks the whole error response, byte for byte, and its headers. */
export function expectRefused(came: Came, status: number, reason: Refusal, said: string | Said): void {
  const { retry, field = '', message = reasons[reason].means } = typeof said === 'string' ? { retry: said } : said;
  const body = { ok: false, reason, message, ...(status === 400 ? { field } : {}), retry };
  expect([came.status, came.text]).toEqual([status, JSON.stringify(body)]);
  expectHeaders(came, { isReplay: false });
}

/** Checks the whole success response, byte for byte, and its headers. */
export function expectAccepted(came: Came, reason: Reason, ids: Readonly<Record<string, string>>, { isReplay = false } = {}): void {
  expect([came.status, came.text]).toEqual([200, JSON.stringify({ ok: true, reason, ...ids, message: reasons[reason].means })]);
  expectHeaders(came, { isReplay });
}

const requestIdShape = /^[0-9a-f-]{36}$/;

function expectHeaders({ status, headers }: Came, { isReplay }: { readonly isReplay: boolean }): void {
  const told = Object.fromEntries(headers);
  expect(told).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  expect(told['request-id']).toMatch(requestIdShape);
  expect(Object.keys(told).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(told['idempotent-replayed']).toBe(isReplay ? 'true' : undefined);
  expect(told['retry-after']).toBe(status === 503 ? '2' : undefined);
  expect(told['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
}

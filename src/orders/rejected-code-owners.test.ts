import { expect, test } from 'vitest';
import type { RejectedCodeWhy } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import type { CodeFacts } from './decide-attribution.ts';
import { rejectedCodeOwners } from './rejected-code-owners.ts';

const uuid = (last: string) => `019f0000-0000-7000-8000-00000000000${last}` as const;
const [ada, ben] = [uuid('a') as Id<'crt'>, uuid('b') as Id<'crt'>];
const at = new Date('2026-03-31T12:00:00Z');
const codeOf = (code: string, creatorId: Id<'crt'>, linkNumber: bigint): CodeFacts => ({
  codeId: uuid('d') as Id<'code'>,
  programId: uuid('1') as Id<'prog'>,
  code,
  creatorId,
  linkNumber,
  isCreatorSuspended: false,
  isShared: false,
  validFrom: at,
  validUntil: null,
  ordersPerCustomer: null,
  pausedAt: null,
  endedAt: null,
  memberStatus: 'approved',
  memberSince: at,
  programStatus: 'published',
  pastDueAt: null,
  customerOrders: 0,
  terms: null,
});
const partners = { codes: [codeOf('ADA', ada, 1n), codeOf('BEN', ben, 2n), codeOf('BEN2', ben, 3n)], bindings: [], customerHash: null };
const rejected = (...codes: ReadonlyArray<[string, RejectedCodeWhy['because']]>) => ({
  occurred_at: at.toISOString(),
  rejected_codes: codes.map(([code, because]) => ({ discount_code: code, because })),
});
const seenBy = (given: Partial<Parameters<typeof rejectedCodeOwners>[0]>) =>
  rejectedCodeOwners({ partners, why: {}, informed: [], ...given }).map(({ creatorId, linkNumber, why }) => [creatorId, linkNumber, why]);

test('each owner of codes that did not count sees their own ones, once', () => {
  const why = rejected(['ADA', 'ended'], ['BEN2', 'paused'], ['BEN', 'expired']);
  expect(seenBy({ why })).toEqual([
    [ada, 1n, rejected(['ADA', 'ended'])],
    [ben, 3n, rejected(['BEN2', 'paused'], ['BEN', 'expired'])],
  ]);
});

test('a creator who earns the order or already sees why not, and the owner of a shared code, see nothing more', () => {
  const why = rejected(['ADA', 'ended'], ['BEN', 'shared']);
  expect(seenBy({ why })).toEqual([[ada, 1n, rejected(['ADA', 'ended'])]]);
  expect(seenBy({ why, informed: [null, ada] })).toEqual([]);
});

test('an order without a rejected code, or of a store that counts only clicks, is shown to no owner', () => {
  expect(seenBy({})).toEqual([]);
  expect(seenBy({ partners: null, why: rejected(['ADA', 'ended']) })).toEqual([]);
});

import { expect, test } from 'vitest';
import { basisPoints } from '../core/money.ts';
import { acceptableVersion, decideAcceptance } from './decide-acceptance.ts';
import { decideCancel } from './decide-cancel.ts';
import { clicksOnly, sameRates, type Terms } from './terms.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 4, number, 12));
const now = day(5);
const version = (number: number, from: number, fields: Partial<Terms> = {}): Terms => ({
  version: number,
  effectiveFrom: day(from),
  madeAt: day(1),
  attributionDays: 30 + number,
  holdDays: 30,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [{ productId: null, rate: { is: 'share', basisPoints: basisPoints(1_000) } }],
  subscriptionRules: [],
  attribution: clicksOnly,
  rates: sameRates,
  ...fields,
});
const current = version(1, 1);
const announced = version(2, 10, { isAnnounced: true });
const canceled = version(2, 10, { isAnnounced: true, canceledAt: day(4) });

// Each row also violates a later rule.
test.each<[outcome: string, what: string, versions: readonly Terms[], number: number]>([
  ['unprocessable', 'a version that does not exist', [current], 3],
  ['keep', 'a version that was canceled, and would have started', [current, version(2, 4, { canceledAt: day(3) })], 2],
  ['conflict', 'the version in force', [current, announced], 1],
  ['conflict', 'a version at its start', [current, version(2, 5)], 2],
  ['cancel', 'a version that has not started', [current, announced], 2],
])('%s: %s', (outcome, _what, versions, number) => {
  const decision = decideCancel(versions, number, now);
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(outcome);
});

test.each<[what: string, versions: readonly Terms[], canceledVersion: number, days: number | null]>([
  ['the version in force', [current, announced], 2, 31],
  ['an earlier one that is scheduled, too', [current, version(2, 8), version(3, 10)], 3, 32],
  ['none of those that it replaced at the same start', [current, version(2, 10), version(3, 10)], 3, 31],
  ['nothing', [version(1, 10)], 1, null],
])('after a cancelation, the settings of the program are those of %s', (_what, versions, number, days) => {
  const decision = decideCancel(versions, number, now);
  expect(decision.do === 'cancel' && (decision.settings?.attributionDays ?? null)).toBe(days);
});

type AcceptanceFacts = Parameters<typeof decideAcceptance>[2];
const member: AcceptanceFacts = { now, isMember: true, acceptedAt: null };

// Each row also violates a later rule.
test.each<[outcome: string, what: string, versions: readonly Terms[], number: number, facts: Partial<AcceptanceFacts>]>([
  ['keep', 'an acceptance of someone who has left', [current, canceled], 2, { acceptedAt: day(3), isMember: false }],
  ['refuse: membership', 'someone who has left', [current], 3, { isMember: false }],
  ['refuse: version', 'a version that does not exist', [current], 3, {}],
  ['refuse: version', 'a version that started', [current, version(2, 5, { isAnnounced: true })], 2, {}],
  ['refuse: version', 'a canceled version', [current, canceled], 2, {}],
  ['refuse: version', 'a scheduled version that is not announced', [current, version(2, 10)], 2, {}],
  ['accept', 'an announced version', [current, announced], 2, {}],
])('%s: %s', (outcome, _what, versions, number, facts) => {
  const decision = decideAcceptance(versions, number, { ...member, ...facts });
  const refused = decision.do === 'refuse' && (/a member of/.test(decision.message) ? 'membership' : 'version');
  expect(refused === false ? decision.do : `refuse: ${refused}`).toBe(outcome);
});

test('creators are informed of the announced version until it starts or is canceled', () => {
  expect(acceptableVersion([current, announced], now)?.version).toBe(2);
  expect(acceptableVersion([current, announced], day(10))).toBeNull();
  expect(acceptableVersion([current, canceled], now)).toBeNull();
});

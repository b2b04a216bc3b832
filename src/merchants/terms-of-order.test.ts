import { expect, test } from 'vitest';
import { basisPoints } from '../core/money.ts';
import { termsOfOrder, type Acceptance } from './terms-of-order.ts';
import { clicksOnly, sameRates, type Terms } from './terms.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 4, number, 12));
const version = (number: number, from: number, fields: Partial<Terms> = {}): Terms => ({
  version: number,
  effectiveFrom: day(from),
  madeAt: day(from),
  attributionDays: 30,
  holdDays: 30,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [{ productId: null, rate: { is: 'share', basisPoints: basisPoints(1_000) } }],
  subscriptionRules: [],
  attribution: clicksOnly,
  rates: sameRates,
  ...fields,
});
const first = version(1, 1);
const announced = version(2, 10, { isAnnounced: true });
const protecting = version(2, 10, { protectClickDays: 14 });
const canceled = version(2, 10, { isAnnounced: true, canceledAt: day(6) });
const accepted = (on: number, number = 2): Acceptance => ({ version: number, acceptedAt: day(on) });

type Case = readonly [
  string,
  readonly Terms[],
  { readonly at: number; readonly clicked?: number; readonly accepted?: readonly Acceptance[] },
  readonly [number, string | undefined, number | undefined],
];

test.each([
  ['an order before the start', [first, announced], { at: 9 }, [1, undefined, undefined]],
  ['an order at the start', [first, announced], { at: 10 }, [2, undefined, undefined]],
  ['an order at the acceptance', [first, announced], { at: 5, accepted: [accepted(5)] }, [2, 'accepted', 2]],
  ['an order before the acceptance, reported late', [first, announced], { at: 4, accepted: [accepted(5)] }, [1, undefined, undefined]],
  ['an accepted version after its start', [first, announced], { at: 11, accepted: [accepted(5)] }, [2, undefined, undefined]],
  ['an acceptance of another version', [first, announced], { at: 5, accepted: [accepted(5, 3)] }, [1, undefined, undefined]],
  ['a canceled version', [first, canceled], { at: 11 }, [1, undefined, undefined]],
  ['an accepted version before it was canceled', [first, canceled], { at: 5, accepted: [accepted(5)] }, [2, 'accepted', 2]],
  ['an accepted version after it was canceled', [first, canceled], { at: 6, accepted: [accepted(5)] }, [1, undefined, undefined]],
  ['a click before the change', [first, protecting], { at: 12, clicked: 9 }, [1, 'click_before_change', 2]],
  ['a click at the change', [first, protecting], { at: 12, clicked: 10 }, [2, undefined, undefined]],
  ['a click before the change, and an order after the days', [first, protecting], { at: 24, clicked: 9 }, [2, undefined, undefined]],
  ['an order without a click', [first, protecting], { at: 12 }, [2, undefined, undefined]],
  ['a click before a change without protection', [first, announced], { at: 12, clicked: 9 }, [2, undefined, undefined]],
  [
    'a protected click of a creator who accepted',
    [first, version(2, 10, { isAnnounced: true, protectClickDays: 14 })],
    { at: 12, clicked: 4, accepted: [accepted(5)] },
    [2, undefined, undefined],
  ],
  [
    'a click before two protecting changes',
    [first, protecting, version(3, 12, { protectClickDays: 14 })],
    { at: 13, clicked: 9 },
    [1, 'click_before_change', 2],
  ],
  [
    'a click before two changes, of which the first does not protect',
    [first, version(2, 10), version(3, 12, { protectClickDays: 14 })],
    { at: 13, clicked: 9 },
    [2, 'click_before_change', 3],
  ],
  [
    'a click before the first version, which protects',
    [version(1, 10, { protectClickDays: 14 })],
    { at: 12, clicked: 9 },
    [1, undefined, undefined],
  ],
] as const satisfies readonly Case[])('%s has its version, and why', (...[, versions, order, expected]: Case) => {
  const { at, clicked, accepted: acceptances = [] } = order;
  const terms = termsOfOrder(versions, { at: day(at), clickedAt: clicked === undefined ? null : day(clicked), acceptances });
  expect([terms?.version, terms?.choice?.because, terms?.choice?.changed.version]).toEqual(expected);
});

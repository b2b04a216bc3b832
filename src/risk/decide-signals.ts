import type { RiskSettings } from '../holds/risk-settings.ts';
import { dollars, type Cents } from '../core/money.ts';
import type { Evidence, RiskRule } from './risk-case.ts';

/** A creator's sales in a store: the last day, compared with the time before. */
export type PairFacts = {
  readonly orders: number;
  /** The most orders in one hour, of the last day and of the thirty days before. */
  readonly peakHour: number;
  readonly formerPeakHour: number;
  readonly largestOrder: Cents;
  /** The median and the number of the store's orders before the last day. */
  readonly medianOrder: Cents;
  readonly formerOrders: number;
  /** Orders that were placed within seconds of their click. */
  readonly fastOrders: number;
  /** The largest commission without a refund hold among orders whose commission is nearly their whole amount. */
  readonly fullCommission: Cents;
  /** The store pays no other creator. */
  readonly isOnlyCreator: boolean;
  readonly storeAgeDays: number;
  readonly creatorAgeDays: number;
  /** The creator's unpaid commissions in the store. */
  readonly unpaid: Cents;
};

export const signalLimits = {
  orderRateFactor: 5,
  orderSizeFactor: 20n,
  /** Fewer orders give no reliable median. */
  orderSizeHistoryMin: 5,
  fastOrdersMin: 10,
  fastOrderSeconds: 10,
  /** In percent of the order. */
  fullCommissionPercent: 90,
  newDays: 30,
  newPairUnpaidMin: 10_000n,
} as const;

export type Signal = { readonly rule: RiskRule; readonly evidence: readonly Evidence[] };
type Limits = Pick<RiskSettings, 'ordersPerHourMin' | 'orderSizeMin' | 'largeFirstPayout'>;

type Rule = {
  readonly rule: RiskRule;
  readonly applies: (facts: PairFacts, limits: Limits) => boolean;
  readonly evidence: (facts: PairFacts, limits: Limits) => readonly Evidence[];
};

/** Every rule that applies opens its own case. The order is that of the operator's page. */
const pairRules: readonly Rule[] = [
  {
    rule: 'full_commission',
    applies: ({ fullCommission }) => fullCommission > 0n,
    evidence: ({ fullCommission }) => [
      {
        what: 'Largest commission without a refund hold',
        found: dollars(fullCommission),
        compared: `${signalLimits.fullCommissionPercent} % or more of its order`,
      },
    ],
  },
  {
    rule: 'new_store_one_creator',
    applies: ({ isOnlyCreator, storeAgeDays, creatorAgeDays, unpaid }) =>
      isOnlyCreator &&
      storeAgeDays < signalLimits.newDays &&
      creatorAgeDays < signalLimits.newDays &&
      unpaid >= signalLimits.newPairUnpaidMin,
    evidence: ({ storeAgeDays, creatorAgeDays, unpaid }) => [
      { what: 'Age of the store', found: `${storeAgeDays} days`, compared: `under ${signalLimits.newDays} days` },
      { what: 'Age of its only creator', found: `${creatorAgeDays} days`, compared: `under ${signalLimits.newDays} days` },
      { what: 'Earned and not paid', found: dollars(unpaid), compared: null },
    ],
  },
  {
    rule: 'order_rate',
    applies: ({ peakHour, formerPeakHour }, { ordersPerHourMin }) =>
      peakHour >= ordersPerHourMin && peakHour > signalLimits.orderRateFactor * formerPeakHour,
    evidence: ({ peakHour, formerPeakHour }, { ordersPerHourMin }) => [
      { what: 'Orders in one hour', found: String(peakHour), compared: `at least ${ordersPerHourMin}` },
      {
        what: 'Most orders in one hour of the 30 days before',
        found: String(formerPeakHour),
        compared: `more than ${signalLimits.orderRateFactor} times as many now`,
      },
    ],
  },
  {
    rule: 'order_size',
    applies: ({ largestOrder, medianOrder, formerOrders }, { orderSizeMin }) =>
      formerOrders >= signalLimits.orderSizeHistoryMin &&
      largestOrder >= orderSizeMin &&
      largestOrder > signalLimits.orderSizeFactor * medianOrder,
    evidence: ({ largestOrder, medianOrder, formerOrders }, { orderSizeMin }) => [
      { what: 'Largest order of the last day', found: dollars(largestOrder), compared: `at least ${dollars(orderSizeMin)}` },
      {
        what: `Median of the ${formerOrders} orders before`,
        found: dollars(medianOrder),
        compared: `more than ${signalLimits.orderSizeFactor} times as much now`,
      },
    ],
  },
  {
    rule: 'fast_orders',
    applies: ({ fastOrders, orders }) => fastOrders >= signalLimits.fastOrdersMin && fastOrders * 2 >= orders,
    evidence: ({ fastOrders, orders }) => [
      {
        what: `Orders within ${signalLimits.fastOrderSeconds} seconds of their click`,
        found: `${fastOrders} of ${orders}`,
        compared: `at least ${signalLimits.fastOrdersMin}, and half of all`,
      },
    ],
  },
];

/** Decides the fraud signals of a creator's orders in a store. Signals hold payouts and never reject an order. */
export const decidePairSignals = (facts: PairFacts, limits: Limits): readonly Signal[] =>
  pairRules.filter(({ applies }) => applies(facts, limits)).map(({ rule, evidence }) => ({ rule, evidence: evidence(facts, limits) }));

export type CreatorFacts = {
  /** Collected and not in a payout. */
  readonly free: Cents;
  readonly wasPaidBefore: boolean;
};

export function decideCreatorSignals({ free, wasPaidBefore }: CreatorFacts, { largeFirstPayout }: Limits): readonly Signal[] {
  if (wasPaidBefore || free < largeFirstPayout) return [];
  const evidence = [
    { what: 'First payout', found: dollars(free), compared: `at least ${dollars(largeFirstPayout)}` },
    { what: 'Payouts before', found: '0', compared: null },
  ];
  return [{ rule: 'large_first_payout', evidence }];
}

/** After a release, the signal opens no case about the same store and creator for this long. */
export const quietDays = 30;

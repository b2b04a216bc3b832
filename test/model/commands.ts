import fc from 'fast-check';
import { changedTerms } from './changed-terms.ts';
import { firstTerms, goals, laterTerms } from './random-terms.ts';
import { groups, type Group, type Owner, type TermsVariant } from './terms.ts';

/** The reported time of an event: relative to the moment of the request, invalid, or absent. */
export type When =
  | 'now'
  | 'two hours ago'
  | 'nine days ago'
  | 'eighteen days ago'
  | 'forty days ago'
  | 'ahead'
  | 'too far ahead'
  | 'too old'
  | 'unreadable'
  | 'absent';
export type ClickName =
  | 'fresh'
  | 'of today'
  | 'another'
  | 'five days old'
  | 'expired'
  | 'long ago'
  | 'forged'
  | 'of another store'
  | 'test'
  | 'absent';
export type Environment = 'live' | 'test';
export type PaymentState = 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';

/** What a report names besides its click. */
export type Named = { readonly codes: readonly CodeText[]; readonly customer: number | null };
export type CodeText = 'ADA' | 'ben' | 'BEN' | 'once' | 'Twice' | 'SHARED' | 'SPRING' | 'UNKNOWN';
export type CodeStatus = 'active' | 'paused' | 'ended';

type Money = { readonly amount: number; readonly eligible: number | null };
/** The index of an earlier event id, or null for a new one. */
type EventId = { readonly event: number | null };
type Recurring = EventId & { readonly relationship: number; readonly environment: Environment; readonly when: When };

export type Command =
  | ({
      readonly do: 'convert';
      readonly order: number;
      readonly click: ClickName;
      readonly lines: SoldLines;
      readonly country: string | null;
      readonly isTest: boolean;
    } & Sale &
      Named)
  /** Orders at the same time, which may share a transaction. */
  | { readonly do: 'burst'; readonly orders: number; readonly amount: number }
  | { readonly do: 'reverse'; readonly order: number; readonly when: When; readonly reason: string | null }
  | ({ readonly do: 'lead'; readonly lead: number; readonly click: ClickName; readonly kind: LeadKind; readonly when: When } & Named)
  | { readonly do: 'reverse lead'; readonly lead: number; readonly when: When; readonly reason: string | null }
  | ({ readonly do: 'bind'; readonly click: ClickName; readonly currency: string } & Recurring & Product & Named)
  | ({ readonly do: 'bill'; readonly invoice: number; readonly state: PaymentState; readonly currency: string } & Recurring &
      Product &
      Money)
  | ({ readonly do: 'refund'; readonly invoice: number; readonly reason: string | null } & Recurring)
  | ({ readonly do: 'end'; readonly reason: string | null } & Recurring)
  | ({ readonly do: 'refund order'; readonly order: number; readonly lines: RefundedLines } & PartlyRefunded)
  | ({
      readonly do: 'refund invoice';
      readonly invoice: number;
      readonly relationship: number;
      readonly environment: Environment;
    } & PartlyRefunded)
  | { readonly do: 'review'; readonly relationship: number; readonly decision: 'accept' | 'decline' }
  /** Repeats an earlier request byte for byte. */
  | { readonly do: 'resend'; readonly which: number }
  /** Null: as early as possible. */
  | { readonly do: 'new terms'; readonly terms: TermsVariant; readonly inHours: number | null }
  /** Of the latest version. */
  | { readonly do: 'accept terms'; readonly owner: Owner }
  | { readonly do: 'cancel terms' }
  /** The daily job. */
  | { readonly do: 'award goals' }
  | { readonly do: 'change code'; readonly code: 'BEN' | 'ADA' | 'ONCE'; readonly to: CodeStatus }
  /** A creator enters a group, or leaves it. */
  | { readonly do: 'move'; readonly owner: Owner; readonly to: Group | null }
  | { readonly do: 'suspend' | 'unsuspend' }
  /** Actions of the layers above: issue our invoice, collect and pay what is invoiced, release holds. */
  | { readonly do: 'issue' | 'pay' | 'release' }
  /** Of all commissions, or of one order. */
  | { readonly do: 'approve' | 'reject' | 'reopen'; readonly order: number | null }
  | { readonly do: 'bonus'; readonly owner: Owner; readonly cents: number }
  | { readonly do: 'wait'; readonly hours: number }
  /** Until so many hours after the end of the month in UTC. */
  | { readonly do: 'wait for the next month'; readonly hours: number };

export type SoldLines = 'none' | 'a' | 'a and b' | 'shirts';
export type LeadKind = 'sign_up' | 'call' | 'other';
/** `b, with a unit`: a line of product b whose unit came back; `two lines`: of both products. */
export type RefundedLines = 'none' | 'a' | 'b, with a unit' | 'two lines' | 'c';
type PartlyRefunded = {
  /** The index of an earlier refund ID, or null for a new one. */
  readonly refund: number | null;
  /** A number of cents, or all that an order of 4,900 cents is. */
  readonly amount: number;
  readonly when: When;
  readonly reason: string | null;
};

type Sale = Money & { readonly when: When; readonly currency: string };
export type Product = { readonly product: string; readonly price: string | null };

const often = <Value>(usual: Value, weight: number, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const when = often<When>(
  'now',
  4,
  'two hours ago',
  'nine days ago',
  'eighteen days ago',
  'forty days ago',
  'ahead',
  'too far ahead',
  'too old',
  'unreadable',
);
const whenOrReceipt = often<When>('absent', 10, 'now', 'two hours ago', 'nine days ago', 'ahead', 'too far ahead', 'too old', 'unreadable');
/** An end with its own time admits events from before that time. */
const whenEnded = fc.oneof(
  { weight: 1, arbitrary: whenOrReceipt },
  { weight: 1, arbitrary: fc.constantFrom<When>('now', 'two hours ago') },
);
const click = often<ClickName>('fresh', 8, 'of today', 'another', 'five days old', 'expired', 'forged', 'of another store', 'test');
const clickOrNone = fc.oneof({ weight: 3, arbitrary: click }, { weight: 2, arbitrary: fc.constant('absent' as const) });
const codeText = fc.constantFrom<CodeText>('ADA', 'ben', 'BEN', 'once', 'Twice', 'SHARED', 'SPRING', 'UNKNOWN');
const named = {
  codes: fc.oneof(
    { weight: 3, arbitrary: fc.constant<readonly CodeText[]>([]) },
    { weight: 4, arbitrary: codeText.map((code) => [code]) },
    { weight: 1, arbitrary: fc.array(codeText, { minLength: 2, maxLength: 3 }) },
  ),
  customer: often<number | null>(null, 2, 0, 1, 1),
};
const currency = often('USD', 40, 'EUR', 'usd');
const money = {
  amount: often(4_900, 3, 0, 1, 3, 499, 9_905, 123_457),
  eligible: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(0, 499, 4_900) }),
};
const reason = fc.constantFrom(null, 'refunded');
const product = {
  product: often('basic', 8, 'pro', 'team'),
  price: often<string | null>('monthly', 8, 'yearly', null),
};
const recurring = {
  event: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(50) }),
  relationship: often(0, 4, 1),
  environment: often<Environment>('live', 15, 'test'),
};
const invoice = fc.nat(2);
const partlyRefunded = {
  refund: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(20) }),
  amount: often(1_000, 3, 0, 1, 2, 499, 2_450, 4_897, 4_900, 4_900, 9_905),
  reason,
};

/** More orders than before would be reversed and refunded too rarely. */
const orderMax = 5;
const oneOrAll = { order: fc.option(fc.nat(orderMax), { freq: 2 }) };

/** So many that several share a transaction after the first ones, and a budget that covers some of those. */
const burst = fc.record({
  do: fc.constant('burst' as const),
  orders: fc.integer({ min: 6, max: 9 }),
  amount: fc.constantFrom(499, 1_000, 4_900, 9_905),
});

const inHours = often<number | null>(null, 4, 0, 3, 26, 200);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('convert' as const),
      order: fc.nat(2 * orderMax),
      click: clickOrNone,
      ...named,
      lines: fc.constantFrom<SoldLines>('none', 'a', 'a and b', 'a and b', 'shirts', 'shirts'),
      country: often<string | null>(null, 2, 'US', 'DE', 'us', 'XX'),
      isTest: often(false, 9, true),
      when,
      currency,
      ...money,
    }),
  },
  { weight: 2, arbitrary: burst },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse' as const), order: fc.nat(orderMax), when: whenOrReceipt, reason }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('lead' as const),
      lead: fc.nat(6),
      click: clickOrNone,
      ...named,
      kind: often<LeadKind>('sign_up', 3, 'call', 'other'),
      when,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse lead' as const), lead: fc.nat(4), when: whenOrReceipt, reason }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bind' as const),
      click: clickOrNone,
      ...named,
      currency,
      ...recurring,
      when: whenOrReceipt,
      ...product,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('bill' as const),
      invoice,
      state: often<PaymentState>('paid', 4, 'failed', 'open', 'void', 'uncollectible'),
      currency,
      ...recurring,
      when,
      ...product,
      ...money,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('refund' as const), invoice, reason, ...recurring, when: whenOrReceipt }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('refund order' as const),
      order: fc.nat(orderMax),
      lines: often<RefundedLines>('none', 2, 'a', 'b, with a unit', 'two lines', 'c'),
      ...partlyRefunded,
      when,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('refund invoice' as const),
      invoice,
      relationship: often(0, 4, 1),
      environment: often<Environment>('live', 15, 'test'),
      ...partlyRefunded,
      when: whenOrReceipt,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), reason, ...recurring, when: whenEnded }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('review' as const),
      relationship: often(0, 4, 1),
      decision: fc.constantFrom('accept' as const, 'decline' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('resend' as const), which: fc.nat(50) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('new terms' as const), terms: laterTerms, inHours }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { do: 'accept terms' as const, owner: 'ada' as const },
      { do: 'accept terms' as const, owner: 'ben' as const },
    ),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel terms' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('award goals' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change code' as const),
      code: fc.constantFrom('BEN' as const, 'ADA' as const, 'ONCE' as const),
      to: fc.constantFrom<CodeStatus>('active', 'active', 'paused', 'ended'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      owner: often<Owner>('ada', 2, 'ben'),
      to: fc.constantFrom(null, ...groups, ...groups),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'unsuspend' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('issue' as const, 'pay' as const, 'release' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('approve' as const), ...oneOrAll }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('reject' as const, 'reopen' as const), ...oneOrAll }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('bonus' as const),
      owner: often<Owner>('ada', 1, 'ben'),
      cents: fc.constantFrom(1, 700, 4_900),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(7, 25, 200) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait for the next month' as const), hours: fc.constantFrom(-11, -6, -1, 1, 5, 9, 12) }),
  },
);

const commandsMax = 40;

/** A regular subscription: without one, almost all commands about subscriptions in a history would have no effect. */
const goodBind = (relationship: number, environment: Environment) =>
  ({
    do: 'bind',
    click: environment === 'test' ? 'test' : 'fresh',
    currency: 'USD',
    event: null,
    relationship,
    environment,
    when: 'absent',
    product: 'basic',
    price: 'monthly',
    codes: [],
    customer: null,
  }) as const satisfies Command;
const oldBind: Command = { ...goodBind(0, 'live'), click: 'long ago', when: 'forty days ago' };
const subscribed: fc.Arbitrary<readonly Command[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 6, arbitrary: fc.constant([goodBind(0, 'live')]) },
  { weight: 2, arbitrary: fc.constant([oldBind]) },
  { weight: 1, arbitrary: fc.constant([goodBind(0, 'live'), goodBind(1, 'test')]) },
);

/** Orders that are recorded, and approved: without them, few histories would reach a tier. */
const goodOrder = fc.record({
  do: fc.constant('convert' as const),
  order: fc.constant(0),
  click: often<ClickName>('fresh', 3, 'absent'),
  codes: fc.constantFrom<readonly CodeText[]>([], ['BEN']),
  customer: often<number | null>(null, 1, 0, 1),
  lines: fc.constantFrom<SoldLines>('a and b', 'shirts'),
  country: often<string | null>(null, 1, 'US', 'DE'),
  isTest: fc.constant(false),
  when: often<When>('now', 2, 'two hours ago', 'nine days ago'),
  currency: fc.constant('USD'),
  amount: fc.constantFrom(4_900, 9_905),
  eligible: fc.constant(null),
});
const approveAll = { do: 'approve', order: null } as const satisfies Command;
const goodOrders = fc
  .array(goodOrder, { minLength: 1, maxLength: 4 })
  .map((orders): readonly Command[] => orders.map((one, place) => ({ ...one, order: place })));
const nextMonth = fc.record({ do: fc.constant('wait for the next month' as const), hours: fc.constantFrom(-11, -6, -1, 1, 5, 9, 12) });
/** What takes back the first order, or a part of it. */
const takenBack: fc.Arbitrary<Command> = fc.constantFrom(
  { do: 'reverse', order: 0, when: 'now', reason: null },
  { do: 'reject', order: 0 },
  { do: 'reopen', order: 0 },
  { do: 'refund order', order: 0, lines: 'none', refund: null, amount: 1_000, when: 'now', reason: null },
);
const lastOrder = goodOrder.map((order): Command => ({ ...order, order: 4, when: 'now' }));
const sold: fc.Arbitrary<readonly Command[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: burst.map((orders): readonly Command[] => [orders]) },
  { weight: 2, arbitrary: goodOrders.map((orders): readonly Command[] => [...orders, approveAll]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(goodOrders, takenBack, lastOrder)
      .map(([orders, back, last]): readonly Command[] => [...orders, approveAll, back, last]),
  },
  { weight: 1, arbitrary: goodOrders.map((orders): readonly Command[] => [...orders, { do: 'issue' }, { do: 'pay' }]) },
  // The period of some time zones ends between the approval and the last order, and that of others does not.
  {
    weight: 2,
    arbitrary: fc
      .tuple(goodOrders, nextMonth, lastOrder)
      .map(([orders, wait, last]): readonly Command[] => [...orders, wait, approveAll, { do: 'wait', hours: 7 }, last]),
  },
);
/** Two versions while the first one promises a notice, and orders before and after the start of the second one. */
const changed: fc.Arbitrary<readonly Command[]> = fc
  .record({
    terms: laterTerms
      .map((promising) => ({ ...promising, notice_days: 7 }))
      .chain((promising) =>
        fc.tuple(fc.constant(promising), fc.oneof({ weight: 1, arbitrary: laterTerms }, { weight: 3, arbitrary: changedTerms(promising) })),
      ),
    isProtecting: fc.boolean(),
    between: fc.subarray<Command>([{ do: 'accept terms', owner: 'ada' }, { do: 'accept terms', owner: 'ben' }, { do: 'cancel terms' }]),
    waits: fc.constantFrom(0, 100, 200, 200, 200),
    orders: fc.array(goodOrder, { minLength: 2, maxLength: 4 }),
    click: often<ClickName>('fresh', 2, 'of today', 'absent'),
    bind: fc.boolean(),
  })
  .map(({ terms: [promising, next], isProtecting, between, waits, orders, click: name, bind }): readonly Command[] => [
    { do: 'new terms', terms: promising, inHours: null },
    { do: 'new terms', terms: isProtecting ? { ...next, protect_click_days: 10 } : next, inHours: null },
    ...between,
    ...orders.slice(0, 1).map((order): Command => ({ ...order, order: 6 })),
    ...(waits === 0 ? [] : [{ do: 'wait', hours: waits } as const]),
    ...(bind ? [{ ...goodBind(1, 'live'), click: name }] : []),
    ...orders.slice(1).map((order, place): Command => ({ ...order, order: 7 + place, click: name })),
  ]);

/** Orders reach goals, and some are taken back. */
const aimed: fc.Arbitrary<readonly Command[]> = fc
  .tuple(
    fc.option(laterTerms),
    goals,
    goodOrders,
    fc.constantFrom<Command>(approveAll, { do: 'approve', order: 0 }, { do: 'award goals' }),
    takenBack,
    fc.constantFrom<readonly Command[]>(
      [],
      [approveAll, { do: 'award goals' }],
      [{ do: 'reject', order: null }],
      // Without the bonus, so that only the job can restore it.
      [{ do: 'approve', order: 0 }, { do: 'award goals' }],
    ),
  )
  .map(([terms, aims, orders, more, back, last]): readonly Command[] => [
    ...(terms === null ? [] : [{ do: 'new terms', terms: { ...terms, goals: aims }, inHours: null } as const]),
    ...orders,
    approveAll,
    { do: 'award goals' },
    more,
    back,
    { do: 'award goals' },
    ...last,
  ]);

const moved: fc.Arbitrary<readonly Command[]> = fc
  .constantFrom(null, ...groups)
  .map((to) => (to === null ? [] : [{ do: 'move', owner: 'ada', to }]));

/** One store's history of any length. Shrinks to the shortest one that still differs. */
export type History = { readonly terms: TermsVariant; readonly termsBeginDaysAgo: number; readonly commands: readonly Command[] };
export const history: fc.Arbitrary<History> = fc.record({
  terms: firstTerms,
  termsBeginDaysAgo: often(60, 3, 10),
  commands: fc
    .tuple(
      moved,
      fc.tuple(sold, subscribed, fc.boolean()),
      fc.oneof(
        { weight: 5, arbitrary: fc.constant<readonly Command[]>([]) },
        { weight: 2, arbitrary: changed },
        { weight: 2, arbitrary: aimed },
      ),
      fc.noBias(fc.array(command, { minLength: 1, maxLength: commandsMax, size: 'max' })),
    )
    .map(([move, [sales, binds, isBoundFirst], more, rest]) => [
      ...move,
      ...(isBoundFirst ? [...binds, ...sales] : [...sales, ...binds]),
      ...more,
      ...rest,
    ]),
});

import fc from 'fast-check';

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
export type ClickName = 'fresh' | 'another' | 'five days old' | 'expired' | 'long ago' | 'forged' | 'of another store' | 'test' | 'absent';
export type Environment = 'live' | 'test';
export type PaymentState = 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';

type Money = { readonly amount: number; readonly eligible: number | null };
/** The index of an earlier event id, or null for a new one. */
type EventId = { readonly event: number | null };
type Recurring = EventId & { readonly relationship: number; readonly environment: Environment; readonly when: When };

export type Command =
  | ({
      readonly do: 'convert';
      readonly order: number;
      readonly click: ClickName;
      readonly lines: 'none' | 'a' | 'a and b';
      readonly isTest: boolean;
    } & Sale)
  | { readonly do: 'reverse'; readonly order: number; readonly when: When; readonly reason: string | null }
  | { readonly do: 'lead'; readonly lead: number; readonly click: ClickName; readonly kind: LeadKind; readonly when: When }
  | { readonly do: 'reverse lead'; readonly lead: number; readonly when: When; readonly reason: string | null }
  | ({ readonly do: 'bind'; readonly click: ClickName; readonly currency: string } & Recurring & Product)
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
  | { readonly do: 'new terms'; readonly variant: number }
  /** The creator enters or leaves the group. */
  | { readonly do: 'move'; readonly isIn: boolean }
  | { readonly do: 'suspend' | 'unsuspend' }
  /** Actions of the layers above: issue our invoice, release holds, reject pending commissions. */
  | { readonly do: 'issue' | 'release' | 'reject' }
  | { readonly do: 'wait'; readonly hours: number };

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
const click = often<ClickName>('fresh', 8, 'another', 'five days old', 'expired', 'forged', 'of another store', 'test');
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
  amount: often(1_000, 3, 0, 1, 2, 499, 2_450, 4_897, 4_900, 9_905),
  reason,
};

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('convert' as const),
      order: fc.nat(3),
      click: fc.oneof({ weight: 12, arbitrary: click }, { weight: 1, arbitrary: fc.constant('absent' as const) }),
      lines: fc.constantFrom('none' as const, 'a' as const, 'a and b' as const),
      isTest: often(false, 9, true),
      when,
      currency,
      ...money,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reverse' as const), order: fc.nat(3), when: whenOrReceipt, reason }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('lead' as const),
      lead: fc.nat(4),
      click: fc.oneof({ weight: 12, arbitrary: click }, { weight: 1, arbitrary: fc.constant('absent' as const) }),
      kind: often<LeadKind>('sign_up', 3, 'call', 'other'),
      when,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse lead' as const), lead: fc.nat(4), when: whenOrReceipt, reason }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('bind' as const), click, currency, ...recurring, when: whenOrReceipt, ...product }) },
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
      order: fc.nat(3),
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new terms' as const), variant: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), isIn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'unsuspend' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('issue' as const, 'release' as const, 'reject' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(7, 25) }) },
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
  }) as const satisfies Command;
const oldBind: Command = { ...goodBind(0, 'live'), click: 'long ago', when: 'forty days ago' };
const beginnings: fc.Arbitrary<readonly Command[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  { weight: 6, arbitrary: fc.constant([goodBind(0, 'live')]) },
  { weight: 2, arbitrary: fc.constant([oldBind]) },
  { weight: 1, arbitrary: fc.constant([goodBind(0, 'live'), goodBind(1, 'test')]) },
);

/** One store's history of any length. Shrinks to the shortest one that still differs. */
export type History = { readonly termsBeginDaysAgo: number; readonly commands: readonly Command[] };
export const history: fc.Arbitrary<History> = fc.record({
  termsBeginDaysAgo: often(60, 3, 10),
  commands: fc
    .tuple(beginnings, fc.noBias(fc.array(command, { minLength: 1, maxLength: commandsMax - 2, size: 'max' })))
    .map(([beginning, rest]) => [...beginning, ...rest]),
});

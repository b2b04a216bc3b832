import { cents } from '../../src/core/money.ts';
import type {
  ChargeProvider,
  LookedUp,
  MoneyIntent,
  MoneyOutcome,
  PayoutProvider,
  ReadProviderEvent,
} from '../../src/payments/provider.ts';
import type { SignedWebhook } from '../support/stripe-server.ts';

export type Kind = 'charge' | 'payout';
/** The outcome that a test requests; each provider has its own instruments for it. */
export type End = 'ok' | 'declined' | 'timeout_done' | 'timeout_not_done' | 'error_done' | 'error_not_done' | 'pending' | 'money_back';
export type BookLine = { readonly kind: Kind; readonly reference: string; readonly amount: bigint; readonly to: string };

/** A webhook event about a charge or payout: its outcome, or that its money was returned. */
export type WebhookQuery = {
  readonly kind: Kind;
  readonly reference: string;
  readonly reports?: 'money_back';
  readonly signedAt?: Date;
  readonly by?: 'a stranger';
};

/** A provider under test, and what a test may know of its internals. */
export type Subject = {
  readonly charges: ChargeProvider;
  readonly payouts: PayoutProvider;
  /** A new method. */
  readonly instrument: (end: End, kind: Kind) => string;
  /** The money that moved, without the delay of the search. */
  readonly moved: () => Promise<readonly BookLine[]>;
  readonly pass: (ms: number) => Promise<void>;
  /** Completes a pending charge or payout. */
  readonly end: (reference: string, end: 'succeeded' | 'declined') => Promise<void>;
  readonly read: ReadProviderEvent;
  /** A webhook event in the form of its HTTP request. */
  readonly webhook: (query: WebhookQuery) => Promise<SignedWebhook>;
  readonly close: () => Promise<void>;
};

/** A uniform interface for charges and payouts. */
export type Asking = {
  readonly kind: Kind;
  readonly subject: Subject;
  /** Whether the provider can answer pending, by its own declaration. */
  readonly endsLater: boolean;
  readonly intent: (end: End) => MoneyIntent;
  readonly call: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUp: (intent: MoneyIntent) => Promise<LookedUp>;
  readonly linesOf: (intent: MoneyIntent) => Promise<readonly BookLine[]>;
  readonly waitUntilSure: () => Promise<void>;
  readonly keyLifeMs: number;
};

let counted = 0;

export function intentFor(instrument: string, kind: Kind): MoneyIntent {
  counted += 1;
  return {
    reference: `${kind === 'charge' ? 'chg' : 'pay'}_${String(counted).padStart(8, '0')}`,
    amount: cents(12_345),
    instrument,
    description: 'Invoice 7 of Tributary',
  };
}

export function askingFor(subject: Subject, kind: Kind): Asking {
  const { charges, payouts } = subject;
  const isCharge = kind === 'charge';
  return {
    kind,
    subject,
    endsLater: isCharge || payouts.ends === 'later',
    intent: (end) => intentFor(subject.instrument(end, kind), kind),
    call: (intent) => (isCharge ? charges.charge(intent) : payouts.pay(intent)),
    lookUp: (intent) => (isCharge ? charges.lookUpCharge(intent) : payouts.lookUpPayout(intent)),
    linesOf: async ({ reference }) => (await subject.moved()).filter((line) => line.reference === reference),
    waitUntilSure: () => subject.pass((isCharge ? charges : payouts).absentIsSureAfterMs),
    keyLifeMs: (isCharge ? charges : payouts).keyLifeMs,
  };
}

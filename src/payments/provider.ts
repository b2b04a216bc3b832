import type { Cents } from '../core/money.ts';

/**
 * The intent is committed before the provider is called. It contains everything that the call needs, so that after a crash another process
 * can send the same bytes with the same key, or look the call up.
 */
export type MoneyIntent = {
  /** Our unique ID: `chg_…` or `pay_…`. It is the idempotency key at the provider and the reference for look-ups. */
  readonly reference: string;
  readonly amount: Cents;
  /** The provider's ID of the saved method or destination. */
  readonly instrument: string;
  /** The text on the bank statement or in the provider's list. */
  readonly description: string;
  /** The provider's ID, if an earlier answer or webhook event contained it. Look-ups by this ID have no delay. */
  readonly providerId?: string | null;
};

/**
 * The outcome of a call. `unknown` is a timeout, a broken connection or a 5xx: the money may have moved, and no elapsed time makes it a
 * failure. `pending` was accepted, and its outcome comes later.
 */
export type MoneyOutcome =
  | { readonly is: 'succeeded'; readonly providerId: string }
  | { readonly is: 'declined'; readonly providerId: string | null; readonly code: string; readonly message: string }
  | { readonly is: 'pending'; readonly providerId: string }
  | { readonly is: 'unknown'; readonly why: string };

/**
 * The result of a look-up. `absent` is reliable only `absentIsSureAfterMs` after the last call, because the provider's search is delayed.
 */
export type LookedUp = MoneyOutcome | { readonly is: 'absent' };

/** A dispute was opened or won, the card network warned of fraud, or the charge was refunded at the provider. */
export type ChargeWarningEvent = 'dispute_opened' | 'dispute_won' | 'fraud_warning' | 'charge_refunded';

/**
 * A signed webhook event from a provider. The outcome of an unfinished charge or payout is looked up before it is applied; returned money
 * is applied as reported, because look-ups do not show it.
 */
export type ProviderEvent =
  | { readonly about: 'charge' | 'payout'; readonly eventId: string; readonly reference: string; readonly outcome: MoneyOutcome }
  /** Money was returned: a lost card dispute, or a payout that the bank returned. */
  | {
      readonly about: 'dispute_lost' | 'payout_returned';
      readonly eventId: string;
      readonly reference: string;
      readonly at: Date;
      readonly why: string;
    }
  /** A charge is at risk, or no longer at risk. Applied as reported, because it only delays payouts. */
  | {
      readonly about: ChargeWarningEvent;
      readonly eventId: string;
      readonly reference: string;
      readonly at: Date;
      readonly why: string;
      /** The affected part of the charge; null if the provider did not report it. */
      readonly amount: Cents | null;
    }
  /** Authentic, but not relevant; `what` is for the log. */
  | { readonly about: 'nothing'; readonly eventId: string; readonly what: string };

/**
 * `forged` and `malformed` (signed, but not in the documented form) are answered 400. `not_now`: authentic, but the provider could not be
 * asked for its reference; answered 503, so that it is sent again.
 */
export type ReadEvent =
  | { readonly is: 'read'; readonly event: ProviderEvent }
  | { readonly is: 'forged'; readonly why: string }
  | { readonly is: 'malformed'; readonly why: string }
  | { readonly is: 'not_now'; readonly why: string };

/** Charges saved payment methods. */
export type ChargeProvider = {
  readonly name: 'sandbox' | 'stripe';
  /** The minimum charge. */
  readonly chargeMin: Cents;
  /**
   * How long the provider keeps an idempotency key, less a margin. After that, only a look-up, a webhook event or a person can settle the
   * call.
   */
  readonly keyLifeMs: number;
  /** After this time since the last call, `absent` is reliable: the call is no longer in progress, and the search is up to date. */
  readonly absentIsSureAfterMs: number;
  readonly charge: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUpCharge: (intent: MoneyIntent) => Promise<LookedUp>;
};

/**
 * How the outcome of a payout is determined. `at_once`: by the provider's answer. `later`: also by webhook events and look-ups, because it
 * can be pending. `by_person`: by the person who transfers the money.
 */
export type PayoutEnds = 'at_once' | 'later' | 'by_person';

/** Sends money to creators. `manual` sends nothing: a person transfers the money and marks the payout. */
export type PayoutProvider = {
  readonly name: 'sandbox' | 'stripe' | 'manual';
  readonly ends: PayoutEnds;
  readonly keyLifeMs: number;
  readonly absentIsSureAfterMs: number;
  readonly pay: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUpPayout: (intent: MoneyIntent) => Promise<LookedUp>;
};

/** Verifies the raw bytes before they are parsed. `now` is real time, because signatures use it. */
export type ReadProviderEvent = (body: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date) => Promise<ReadEvent>;

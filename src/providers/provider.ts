import type { Cents } from '../platform/money.ts';

/**
 * A call to the outside is committed before it is made. What it needs stands in the intent: the same key with the same
 * bytes can be sent again, and the same question asked again, by whoever comes after a death.
 */
export type MoneyIntent = {
  /** Ours, and unique for ever: `chg_…` or `pay_…`. It is the idempotency key at the provider, and what a look-up asks for. */
  readonly reference: string;
  readonly amount: Cents;
  /** The provider's own name of the saved method or destination. */
  readonly instrument: string;
  /** What stands on the bank statement or in the provider's list. */
  readonly description: string;
  /** What the provider called it, where an earlier answer or its news said so: a look-up by its own name never lags. */
  readonly providerId?: string | null;
};

/**
 * How a call ended. `unknown` is a time-out, a broken connection or a 5xx: it may have happened or not, and no timer makes
 * it a failure. `pending` was accepted, and its end comes later.
 */
export type MoneyOutcome =
  | { readonly is: 'succeeded'; readonly providerId: string }
  | { readonly is: 'declined'; readonly providerId: string | null; readonly code: string; readonly message: string }
  | { readonly is: 'pending'; readonly providerId: string }
  | { readonly is: 'unknown'; readonly why: string };

/** What the provider knows of a reference. `absent` is believed only `absentIsSureAfterMs` after the last call: its search lags behind. */
export type LookedUp = MoneyOutcome | { readonly is: 'absent' };

/** A dispute was opened or won, the card network warned of fraud, or the charge was refunded, though not by us. */
export type ChargeWarningNews = 'dispute_opened' | 'dispute_won' | 'fraud_warning' | 'charge_refunded';

/**
 * What a provider tells by itself, under its signature. That an unfinished charge or payout has ended is looked up before it is
 * believed; that money came back is believed as it is told, since no look-up of ours says so.
 */
export type ProviderNews =
  | { readonly about: 'charge' | 'payout'; readonly newsId: string; readonly reference: string; readonly outcome: MoneyOutcome }
  /** Money that was there came back: a card dispute that was lost, a payout that the bank returned. */
  | {
      readonly about: 'dispute_lost' | 'payout_returned';
      readonly newsId: string;
      readonly reference: string;
      readonly at: Date;
      readonly why: string;
    }
  /** Money that was charged is in doubt, or is not any more. Believed as it is reported: it only keeps payouts back. */
  | {
      readonly about: ChargeWarningNews;
      readonly newsId: string;
      readonly reference: string;
      readonly at: Date;
      readonly why: string;
      /** How much of the charge it is about; null where the provider did not say. */
      readonly amount: Cents | null;
    }
  /** Genuine, and no end of anything here; `what` is for the log. */
  | { readonly about: 'nothing'; readonly newsId: string; readonly what: string };

/**
 * `forged` is answered 400, and so is `malformed`: signed, and not of the form that its sender documents.
 * `not_now`: it is genuine, but the provider would not tell whose it is; answered 503, so that it
 * is sent again.
 */
export type ReadNews =
  | { readonly is: 'read'; readonly news: ProviderNews }
  | { readonly is: 'forged'; readonly why: string }
  | { readonly is: 'malformed'; readonly why: string }
  | { readonly is: 'not_now'; readonly why: string };

/** Who charges a saved payment method. */
export type ChargeProvider = {
  readonly name: 'sandbox' | 'stripe';
  /** The smallest charge it takes. */
  readonly chargeMin: Cents;
  /** How long it surely remembers an idempotency key, less a margin. Afterwards only a look-up, news or a person settles. */
  readonly keyLifeMs: number;
  /** This long after the last call `absent` is the truth: nothing of that call is on its way any more, and the search caught up. */
  readonly absentIsSureAfterMs: number;
  readonly charge: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUpCharge: (intent: MoneyIntent) => Promise<LookedUp>;
};

/**
 * Who says how a payout ends. `at_once`: the provider's answer; it accepts nothing for later. `later`: also its news and a
 * look-up, for it may be pending. `by_person`: nobody outside is asked; who pays by hand from the list says so.
 */
export type PayoutEnds = 'at_once' | 'later' | 'by_person';

/** Who sends money to a creator. `manual` sends nothing: a person pays by hand and says so. */
export type PayoutProvider = {
  readonly name: 'sandbox' | 'stripe' | 'manual';
  readonly ends: PayoutEnds;
  readonly keyLifeMs: number;
  readonly absentIsSureAfterMs: number;
  readonly pay: (intent: MoneyIntent) => Promise<MoneyOutcome>;
  readonly lookUpPayout: (intent: MoneyIntent) => Promise<LookedUp>;
};

/** Verified on the raw bytes, before anything is parsed. `now` is real time: signatures know no other. */
export type ReadProviderNews = (body: Buffer, headers: Readonly<Record<string, string | undefined>>, now: Date) => Promise<ReadNews>;

import type { Transition } from '../core/state-machine.ts';

/** `gathering`, the draft, is never shown: commissions are added to it until it is issued with its number. */
export const shownInvoiceStates = ['issued', 'charging', 'unknown', 'paid', 'retrying', 'past_due', 'void', 'charged_back'] as const;
export type ShownInvoiceState = (typeof shownInvoiceStates)[number];

export const invoiceStates = ['gathering', ...shownInvoiceStates] as const;
export type InvoiceState = (typeof invoiceStates)[number];

/**
 * Every legal change of an invoice's state, by the event that causes it. Only `markIssued` and `changeInvoice` write the state, from this
 * table, and `test/billing/billing-states.test.ts` tries every event in every state. An invoice is inserted as `gathering`.
 */
export const invoiceTransitions = {
  issue: { from: ['gathering'], to: 'issued' },
  /** A charge is created. */
  charge: { from: ['issued', 'retrying', 'past_due', 'charged_back'], to: 'charging' },
  /** The provider accepted the charge; the outcome comes later. */
  accept: { from: ['charging', 'unknown'], to: 'charging' },
  /** The provider gave no answer about the charge. */
  loseAnswer: { from: ['charging', 'unknown'], to: 'unknown' },
  /** A charge succeeded, also after it counted as declined, or nothing is left to charge. */
  pay: { from: ['issued', 'charging', 'unknown', 'retrying', 'past_due', 'charged_back'], to: 'paid' },
  /** The provider never had the first charge. */
  restore: { from: ['charging', 'unknown'], to: 'issued' },
  /** The charge failed, or the store has no payment method. A retry is scheduled. */
  retry: { from: ['issued', 'charging', 'unknown', 'retrying'], to: 'retrying' },
  /** The last retry failed, or a later charge. */
  fallPastDue: { from: ['charging', 'unknown', 'retrying', 'past_due'], to: 'past_due' },
  /** A charge after a chargeback failed. */
  failAfterChargeback: { from: ['charging', 'unknown', 'charged_back'], to: 'charged_back' },
  /** The store's payment was taken back. */
  chargeBack: { from: ['paid'], to: 'charged_back' },
  /** Credit notes leave nothing of it. An unfinished charge comes first. */
  void: { from: ['issued', 'retrying', 'past_due', 'charged_back'], to: 'void' },
  /** The rest is below the minimum charge, and the operator bears it. */
  writeOff: { from: ['issued', 'retrying', 'past_due', 'charged_back'], to: null },
  /** Its commissions are collected. */
  collect: { from: ['paid'], to: null },
} as const satisfies Readonly<Record<string, Transition<InvoiceState>>>;
export type InvoiceEvent = keyof typeof invoiceTransitions;

/** A charge may be created. */
export const chargeableStates = invoiceTransitions.charge.from;
export type ChargeableState = (typeof chargeableStates)[number];

/** The invoice has an unfinished charge. */
export const invoiceStatesWithCharge = invoiceTransitions.accept.from;
/** No retry is scheduled, and the store is past due. */
export const overdueInvoiceStates = [invoiceTransitions.fallPastDue.to, invoiceTransitions.chargeBack.to] as const;
/** A charge failed or was taken back, and no other is under way. */
export const failedInvoiceStates = [invoiceTransitions.retry.to, ...overdueInvoiceStates] as const;
export const unpaidInvoiceStates = invoiceTransitions.pay.from;

/** The event after which an invoice whose charge failed is in this state. */
export const eventAfterFailure = {
  issued: 'restore',
  retrying: 'retry',
  past_due: 'fallPastDue',
  charged_back: 'failAfterChargeback',
} as const satisfies { readonly [State in ChargeableState]: InvoiceEvent };

import { isEstablished, newOperatorHours, type AgreeingOperator } from '../people/decide-agreement.ts';
import type { PayoutState } from './payout-states.ts';
import { apiMessage } from '../messages/api-message.ts';

/** A person, with what could identify them as the payee. */
export type Confirmer = AgreeingOperator & {
  readonly creatorId: string | null;
  readonly mailboxes: ReadonlySet<string>;
  /** Bank accounts and Stripe accounts that they have, or had, as a creator. */
  readonly accounts: ReadonlySet<string>;
};

export type Payee = { readonly creatorId: string; readonly mailboxes: ReadonlySet<string>; readonly accounts: ReadonlySet<string> };

export type EligibilityFacts = {
  readonly confirmer: Confirmer;
  readonly payee: Payee;
  /** The person who started the run, also through their API key. Null: the schedule, or a key without an owner. */
  readonly startedByUserId: string | null;
  /** The person who set the payout method. */
  readonly methodSetByUserId: string | null;
  readonly now: Date;
};

export const ineligibleReasons = [
  'not_operator',
  'started_it',
  'set_the_method',
  'is_payee',
  'same_mailbox',
  'same_account',
  'new_operator',
] as const;
export type IneligibleReason = (typeof ineligibleReasons)[number];

/** Why a person may not confirm a payout; null: they may. Checked at the confirmation, and again before the payout is sent. */
export function whyIneligible({ confirmer, payee, startedByUserId, methodSetByUserId, now }: EligibilityFacts): IneligibleReason | null {
  if (!confirmer.isOperator) return 'not_operator';
  if (confirmer.userId === startedByUserId) return 'started_it';
  if (confirmer.userId === methodSetByUserId) return 'set_the_method';
  if (confirmer.creatorId === payee.creatorId) return 'is_payee';
  if (overlap(confirmer.mailboxes, payee.mailboxes)) return 'same_mailbox';
  if (overlap(confirmer.accounts, payee.accounts)) return 'same_account';
  if (!isEstablished(confirmer, now)) return 'new_operator';
  return null;
}

const overlap = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => [...some].some((one) => others.has(one));

/** One person besides the one who started the run. A scheduled run needs two. */
export const confirmationsNeeded = ({ startedByUserId }: { readonly startedByUserId: string | null }): number =>
  startedByUserId === null ? 2 : 1;

export type ConfirmFacts = Omit<EligibilityFacts, 'confirmer'> & {
  readonly state: PayoutState;
  /** Null: an API key. */
  readonly confirmer: Confirmer | null;
  readonly confirmedBy: ReadonlySet<string>;
};
export type ConfirmDecision = 'go' | 'not_waiting' | 'no_person' | 'confirmed_already' | IneligibleReason;

/** Decides whether a person may confirm a payout above the limit. */
export function decideConfirm({ state, confirmer, confirmedBy, ...facts }: ConfirmFacts): ConfirmDecision {
  if (state !== 'awaiting_second') return 'not_waiting';
  if (confirmer === null) return 'no_person';
  const ineligible = whyIneligible({ ...facts, confirmer });
  if (ineligible !== null) return ineligible;
  if (confirmedBy.has(confirmer.userId)) return 'confirmed_already';
  return 'go';
}

/** Messages for a person who may not confirm. */
export const confirmMessages: Readonly<Record<Exclude<ConfirmDecision, 'go'>, string>> = {
  not_waiting: apiMessage('decide_confirm.not_waiting'),
  no_person: apiMessage('decide_confirm.no_person'),
  confirmed_already: apiMessage('decide_confirm.confirmed_already'),
  not_operator: apiMessage('decide_confirm.not_operator'),
  started_it: apiMessage('decide_confirm.started_it'),
  set_the_method: apiMessage('decide_confirm.set_the_method'),
  is_payee: apiMessage('decide_confirm.is_payee'),
  same_mailbox: apiMessage('decide_confirm.same_mailbox'),
  same_account: apiMessage('decide_confirm.same_account'),
  new_operator: apiMessage('decide_confirm.new_operator', { newOperatorHours }),
};

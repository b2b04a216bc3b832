import { dayMs, hourMs } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';

/** How long a new operator waits before they may agree to an operation that requires two people. */
export const newOperatorHours = 72;
/** How long an inviter and their invitee cannot together loosen a rule that protects against one of them. */
export const inviterDays = 30;
/**
 * How long a new operator waits if no other operator could approve them after one left, so that removing the second person does not help.
 */
export const replacementWaitDays = 30;

/** A person, with the facts that agreement depends on. Operators from before these rules have no times. */
export type AgreeingOperator = {
  readonly userId: string;
  readonly isOperator: boolean;
  readonly since: Date | null;
  readonly establishedAt: Date | null;
  readonly invitedBy: string | null;
};

type JoiningFacts = {
  /** Live mode, or a sandbox that tries out the rules of live mode. */
  readonly areRulesOn: boolean;
  /** An operator other than the inviter. */
  readonly hasOtherOperator: boolean;
  readonly isApproved: boolean;
};

/** Decides whether a person who accepts an invitation becomes an operator immediately or waits for another operator's approval. */
export function decideJoining({
  areRulesOn,
  hasOtherOperator: isAnotherThere,
  isApproved,
}: JoiningFacts): 'operator' | 'awaiting_approval' {
  if (!areRulesOn || isApproved || !isAnotherThere) return 'operator';
  return 'awaiting_approval';
}

type EstablishedFacts = {
  readonly areRulesOn: boolean;
  readonly now: Date;
  readonly isApproved: boolean;
  readonly lastLeftAt: Date | null;
};

/** The time from which a new operator may agree to an operation that requires two people; null: immediately. */
export function establishedFrom({ areRulesOn, now, isApproved, lastLeftAt }: EstablishedFacts): Date | null {
  if (!areRulesOn) return null;
  const usual = now.getTime() + newOperatorHours * hourMs;
  if (isApproved || lastLeftAt === null) return new Date(usual);
  return new Date(Math.max(usual, lastLeftAt.getTime() + replacementWaitDays * dayMs));
}

export const isEstablished = ({ isOperator, establishedAt }: Pick<AgreeingOperator, 'isOperator' | 'establishedAt'>, now: Date): boolean =>
  isOperator && (establishedAt === null || now >= establishedAt);

type ApprovalFacts = {
  /** Null: an API key. */
  readonly approver: AgreeingOperator | null;
  readonly invitedBy: string | null;
  /** The person who accepted the invitation, if it was accepted. */
  readonly joinedUserId: string | null;
  readonly now: Date;
};

/** An established operator may approve a new operator, except the inviter and the new operator. */
export function decideApproval({ approver, invitedBy, joinedUserId, now }: ApprovalFacts) {
  if (approver === null) return 'no_person';
  if (!approver.isOperator) return 'not_operator';
  if (approver.userId === invitedBy) return 'inviter';
  if (approver.userId === joinedUserId) return 'joined';
  if (!isEstablished(approver, now)) return 'new_operator';
  return 'go';
}

export type AgreementFacts = {
  /** The operator who requested the same change before; null if there is none who still could. */
  readonly requester: AgreeingOperator | null;
  /** The person who requests it now; null: an API key. */
  readonly agreeing: AgreeingOperator | null;
  readonly areRulesOn: boolean;
  readonly now: Date;
};
export type AgreementDecision = 'go' | 'ask' | 'no_person' | 'new_operator' | 'requester_is_new' | 'invited_recently';

/** Decides whether two people agree to loosen a rule that protects against one of them: a higher payout limit, a higher fee. */
export function decideAgreement({ requester, agreeing, areRulesOn, now }: AgreementFacts): AgreementDecision {
  if (requester === null || !requester.isOperator) return 'ask';
  if (agreeing === null) return 'no_person';
  if (agreeing.userId === requester.userId) return 'ask';
  if (!areRulesOn) return 'go';
  if (!isEstablished(agreeing, now)) return 'new_operator';
  if (!isEstablished(requester, now)) return 'requester_is_new';
  if (hasInvitedRecently(requester, agreeing, now) || hasInvitedRecently(agreeing, requester, now)) return 'invited_recently';
  return 'go';
}

const hasInvitedRecently = (inviter: AgreeingOperator, { invitedBy, since }: AgreeingOperator, now: Date): boolean =>
  invitedBy === inviter.userId && since !== null && now.getTime() < since.getTime() + inviterDays * dayMs;

/** Explains to the current requester why two people do not agree yet. */
export const agreementMessages: Readonly<Record<Exclude<AgreementDecision, 'go' | 'ask'>, string>> = {
  no_person: apiMessage('people_decide_agreement.no_person'),
  new_operator: apiMessage('people_decide_agreement.new_operator', { newOperatorHours }),
  requester_is_new: apiMessage('people_decide_agreement.requester_is_new', { newOperatorHours }),
  invited_recently: apiMessage('people_decide_agreement.invited_recently', { inviterDays }),
};

import { dayMs, hourMs } from '../platform/time.ts';

/** How long a new operator waits before they may agree to what needs two people. */
export const newOperatorHours = 72;
/** How long two people, of whom one invited the other, do not together loosen what protects from one of them. */
export const inviterDays = 30;
/** How long a new operator waits whom nobody could approve, after another operator left: removing the second person must not help. */
export const afterLeavingDays = 30;

/** A person, as far as agreeing goes. Who is an operator since before these rules has no times. */
export type Agreeing = {
  readonly userId: string;
  readonly isOperator: boolean;
  readonly since: Date | null;
  readonly establishedAt: Date | null;
  readonly invitedBy: string | null;
};

type JoiningFacts = {
  /** Live mode, or a sandbox that tries the rules of live mode. */
  readonly areRulesOn: boolean;
  /** An operator other than the inviter. */
  readonly isAnotherThere: boolean;
  readonly isApproved: boolean;
};

/** Whether somebody who accepts an invitation is an operator from now on, or waits for another operator's approval. */
export function decideJoining({ areRulesOn, isAnotherThere, isApproved }: JoiningFacts): 'operator' | 'awaiting_approval' {
  if (!areRulesOn || isApproved || !isAnotherThere) return 'operator';
  return 'awaiting_approval';
}

type EstablishedFacts = {
  readonly areRulesOn: boolean;
  readonly now: Date;
  readonly isApproved: boolean;
  readonly lastLeftAt: Date | null;
};

/** From when on a new operator may agree to what needs two people; null: from now on. */
export function establishedFrom({ areRulesOn, now, isApproved, lastLeftAt }: EstablishedFacts): Date | null {
  if (!areRulesOn) return null;
  const usual = now.getTime() + newOperatorHours * hourMs;
  if (isApproved || lastLeftAt === null) return new Date(usual);
  return new Date(Math.max(usual, lastLeftAt.getTime() + afterLeavingDays * dayMs));
}

export const isEstablished = ({ isOperator, establishedAt }: Pick<Agreeing, 'isOperator' | 'establishedAt'>, now: Date): boolean =>
  isOperator && (establishedAt === null || now >= establishedAt);

type ApprovalFacts = {
  /** Null: an API key. */
  readonly approver: Agreeing | null;
  readonly invitedBy: string | null;
  /** The person who accepted the invitation, where somebody did. */
  readonly joinedUserId: string | null;
  readonly now: Date;
};

/** Who may approve a new operator: an established one who neither invited them nor is them. */
export function decideApproval({ approver, invitedBy, joinedUserId, now }: ApprovalFacts) {
  if (approver === null) return 'no_person';
  if (!approver.isOperator) return 'not_operator';
  if (approver.userId === invitedBy) return 'inviter';
  if (approver.userId === joinedUserId) return 'joined';
  if (!isEstablished(approver, now)) return 'new_operator';
  return 'go';
}

export type AgreementFacts = {
  /** The operator who asked for the same before; null: nobody who still could. */
  readonly asker: Agreeing | null;
  /** Who asks for it now; null: an API key. */
  readonly agreeing: Agreeing | null;
  readonly areRulesOn: boolean;
  readonly now: Date;
};
export type AgreementDecision = 'go' | 'ask' | 'no_person' | 'new_operator' | 'asker_is_new' | 'invited_recently';

/** Whether two people agree to loosen what protects from one of them: a higher limit of payouts, a higher fee. */
export function decideAgreement({ asker, agreeing, areRulesOn, now }: AgreementFacts): AgreementDecision {
  if (asker === null || !asker.isOperator) return 'ask';
  if (agreeing === null) return 'no_person';
  if (agreeing.userId === asker.userId) return 'ask';
  if (!areRulesOn) return 'go';
  if (!isEstablished(agreeing, now)) return 'new_operator';
  if (!isEstablished(asker, now)) return 'asker_is_new';
  if (hasInvitedRecently(asker, agreeing, now) || hasInvitedRecently(agreeing, asker, now)) return 'invited_recently';
  return 'go';
}

const hasInvitedRecently = (inviter: Agreeing, { invitedBy, since }: Agreeing, now: Date): boolean =>
  invitedBy === inviter.userId && since !== null && now.getTime() < since.getTime() + inviterDays * dayMs;

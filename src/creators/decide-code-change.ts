import { apiMessage } from '../messages/api-message.ts';
import type { FieldError } from '../http/responses.ts';
import type { DiscountCode } from './discount-code.ts';

/** Undefined keeps the current value. */
export type CodeChange = {
  readonly isShared?: boolean | undefined;
  readonly validFrom?: Date | undefined;
  readonly validUntil?: Date | null | undefined;
  readonly ordersPerCustomer?: number | null | undefined;
  readonly status?: CodeStatus | undefined;
};

export const codeStatuses = ['active', 'paused', 'ended'] as const;
export type CodeStatus = (typeof codeStatuses)[number];

export function codeStatusOf({ pausedAt, endedAt }: Pick<DiscountCode, 'pausedAt' | 'endedAt'>): CodeStatus {
  if (endedAt !== null) return 'ended';
  return pausedAt === null ? 'active' : 'paused';
}

export type CodeChangeDecision =
  | { readonly do: 'change'; readonly code: DiscountCode }
  | { readonly do: 'refuse'; readonly message: string }
  | { readonly do: 'refuse field'; readonly fieldError: FieldError };

/** An ended code stays ended and keeps its pause, so that an order has the same owner however late it is reported. */
export function decideCodeChange(code: DiscountCode, change: CodeChange, now: Date): CodeChangeDecision {
  if (code.endedAt !== null) return { do: 'refuse', message: apiMessage('discount_code.code_ended') };
  const validFrom = change.validFrom ?? code.validFrom;
  const validUntil = change.validUntil === undefined ? code.validUntil : change.validUntil;
  if (validUntil !== null && validUntil <= validFrom)
    return { do: 'refuse field', fieldError: { field: 'valid_until', message: apiMessage('discount_code.after_valid_from') } };
  const status = change.status ?? codeStatusOf(code);
  return {
    do: 'change',
    code: {
      ...code,
      validFrom,
      validUntil,
      isShared: change.isShared ?? code.isShared,
      ordersPerCustomer: change.ordersPerCustomer === undefined ? code.ordersPerCustomer : change.ordersPerCustomer,
      pausedAt: status === 'active' ? null : (code.pausedAt ?? (status === 'paused' ? now : null)),
      endedAt: status === 'ended' ? now : null,
    },
  };
}

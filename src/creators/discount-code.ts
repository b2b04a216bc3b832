import type { Id } from '../core/ids.ts';
import type { ProgramStatus } from '../merchants/decide-publish.ts';
import type { MemberStatus } from './membership-states.ts';

export type DiscountCode = {
  readonly storeId: Id<'store'>;
  readonly codeId: Id<'code'>;
  readonly programId: Id<'prog'>;
  readonly memberId: Id<'mem'>;
  readonly creatorId: Id<'crt'>;
  /** The code's own link, under which reports count its orders. */
  readonly linkNumber: bigint;
  /** As the merchant wrote it. */
  readonly code: string;
  /** Shared codes are known, but never earn. */
  readonly isShared: boolean;
  readonly validFrom: Date;
  /** The first moment at which it is no longer valid; null for no end. */
  readonly validUntil: Date | null;
  /** How many orders of one customer earn; null for no limit. */
  readonly ordersPerCustomer: number | null;
  readonly pausedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
};

/**
 * Codes are compared by this form, without case. It is composed again, because some characters have a composed form in lower case only, and
 * a sigma at the end of a word equals one within it.
 */
export const codeKeyOf = (code: string): string => code.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');

/** A code with what decides whether its owner earns. */
export type CodeOfOrder = Omit<DiscountCode, 'memberId' | 'createdAt'> & {
  readonly codeKey: string;
  readonly memberStatus: MemberStatus;
  /** When the status last changed. */
  readonly memberSince: Date;
  readonly programStatus: ProgramStatus;
  readonly pastDueAt: Date | null;
};

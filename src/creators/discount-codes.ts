import { apiMessage } from '../messages/api-message.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { decideCodeChange, type CodeChange } from './decide-code-change.ts';
import { insertDiscountCode, isCodeTaken, lockDiscountCode, updateDiscountCode } from './discount-codes-sql.ts';
import type { DiscountCode } from './discount-code.ts';
import { createLink } from './links.ts';

export type NewCode = Pick<DiscountCode, 'storeId' | 'programId' | 'code' | 'isShared' | 'validUntil' | 'ordersPerCustomer'> & {
  /** Null: the given ID is not a creator ID. */
  readonly creatorId: Id<'crt'> | null;
  /** Null: from now on. */
  readonly validFrom: Date | null;
  readonly at: Date;
};

/** The code gets a link of its own, under which all reports count its orders. */
export async function createDiscountCode(
  db: Queryable,
  { creatorId, validFrom: from, at, ...draft }: NewCode,
): Promise<DiscountCode | Refusal> {
  const { storeId, programId, code, validUntil } = draft;
  const validFrom = from ?? at;
  if (validUntil !== null && validUntil <= validFrom) return refuseField('valid_until', 'must be later than valid_from');
  if (await isCodeTaken(db, { storeId, code })) return codeTaken;
  const link = await createLink(db, { storeId, programId, creatorId, destinationUrl: null, code: null, at });
  if (isRefusal(link)) return link;
  const owner = { memberId: link.memberId, creatorId: link.creatorId, linkNumber: link.linkNumber };
  return (await insertDiscountCode(db, { ...draft, ...owner, codeId: newId<'code'>(at), validFrom, createdAt: at })) ?? codeTaken;
}

type CodeName = Pick<DiscountCode, 'storeId' | 'codeId'>;

export async function changeDiscountCode(db: Queryable, of: CodeName, change: CodeChange, at: Date): Promise<DiscountCode | Refusal> {
  const code = await lockDiscountCode(db, of);
  if (code === null) return notFound;
  const decision = decideCodeChange(code, change, at);
  if (decision.do === 'refuse') return refuse('conflict', decision.message);
  if (decision.do === 'refuse field') return refuseField(decision.fieldError.field, decision.fieldError.message);
  return updateDiscountCode(db, decision.code);
}

const refuseField = (field: string, message: string): Refusal =>
  refuse('unprocessable', apiMessage('discount_code.invalid'), [{ field, message }]);

const codeTaken = refuse('conflict', apiMessage('discount_code.taken'));

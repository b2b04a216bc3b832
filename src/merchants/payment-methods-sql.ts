import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import { lockStore } from './stores-sql.ts';

export type PaymentMethod = {
  readonly paymentMethodId: Id<'pm'>;
  readonly provider: 'sandbox' | 'stripe';
  readonly instrument: string;
  /** Tried first once a charge of the usual one was declined. */
  readonly isBackup: boolean;
  readonly madeAt: Date;
};

type NewMethod = {
  readonly storeId: Id<'store'>;
  readonly provider: PaymentMethod['provider'];
  readonly instrument: string;
  readonly isBackup?: boolean;
  readonly at: Date;
};

const columns = sql`payment_method_id, provider, instrument, is_backup, made_at`;

/** The new one takes the former's place. Setting the same again counts as new: a script of the sandbox then begins anew. */
export async function setPaymentMethod(db: Queryable, method: NewMethod): Promise<PaymentMethod> {
  const { storeId, provider, instrument, isBackup = false, at } = method;
  await lockStore(db, storeId);
  await removePaymentMethod(db, { storeId, isBackup, at });
  return db.one(sql`
    insert into payment_methods (store_id, payment_method_id, provider, instrument, is_backup, made_at)
    values (${storeId}, ${newId<'pm'>(at)}, ${provider}, ${instrument}, ${isBackup}, ${at})
    returning ${columns}`);
}

type Removed = Pick<NewMethod, 'storeId' | 'at'> & { readonly isBackup: boolean };
export async function removePaymentMethod(db: Queryable, { storeId, isBackup, at }: Removed): Promise<void> {
  await db.run(sql`
    update payment_methods set replaced_at = ${at} where store_id = ${storeId} and is_backup = ${isBackup} and replaced_at is null`);
}

/** The usual one first. */
export const paymentMethodsOf = (db: Queryable, storeId: Id<'store'>): Promise<PaymentMethod[]> =>
  db.all(sql`select ${columns} from payment_methods where store_id = ${storeId} and replaced_at is null order by is_backup`);

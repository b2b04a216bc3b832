import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import { lockStore } from './stores-sql.ts';

export type PaymentMethod = {
  readonly paymentMethodId: Id<'pm'>;
  readonly provider: 'sandbox' | 'stripe';
  readonly instrument: string;
  readonly madeAt: Date;
};

type NewMethod = {
  readonly storeId: Id<'store'>;
  readonly provider: PaymentMethod['provider'];
  readonly instrument: string;
  readonly at: Date;
};

/** The new one takes the former's place. Setting the same again counts as new: a script of the sandbox then begins anew. */
export async function setPaymentMethod(db: Queryable, { storeId, provider, instrument, at }: NewMethod): Promise<PaymentMethod> {
  await lockStore(db, storeId);
  await db.run(sql`update payment_methods set replaced_at = ${at} where store_id = ${storeId} and replaced_at is null`);
  return db.one(sql`
    insert into payment_methods (store_id, payment_method_id, provider, instrument, made_at)
    values (${storeId}, ${newId<'pm'>(at)}, ${provider}, ${instrument}, ${at})
    returning payment_method_id, provider, instrument, made_at`);
}

export async function findPaymentMethod(db: Queryable, storeId: Id<'store'>): Promise<PaymentMethod | null> {
  return db.find(sql`
    select payment_method_id, provider, instrument, made_at from payment_methods where store_id = ${storeId} and replaced_at is null`);
}

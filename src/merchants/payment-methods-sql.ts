import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { newId, type Id } from '../core/ids.ts';
import { lockStore } from './stores-sql.ts';

export type PaymentMethod = {
  readonly paymentMethodId: Id<'pm'>;
  readonly provider: 'sandbox' | 'stripe';
  readonly instrument: string;
  /** Charged if a charge of the primary method was declined. */
  readonly isBackup: boolean;
  readonly madeAt: Date;
};

type NewMethod = {
  readonly storeId: Id<'store'>;
  readonly provider: PaymentMethod['provider'];
  readonly instrument: string;
  readonly isBackup?: boolean;
  /** Null: not a card, or the provider gives no fingerprint. */
  readonly cardFingerprint?: string | null;
  readonly at: Date;
};

const columns = sql`payment_method_id, provider, instrument, is_backup, made_at`;

/** Replaces the former method. Setting the same method again counts as new, so that a sandbox script restarts. */
export async function setPaymentMethod(db: Queryable, method: NewMethod): Promise<PaymentMethod> {
  const { storeId, provider, instrument, isBackup = false, cardFingerprint = null, at } = method;
  await lockStore(db, storeId);
  await removePaymentMethod(db, { storeId, isBackup, at });
  if (cardFingerprint !== null)
    await db.run(sql`insert into store_cards (card_fingerprint, store_id) values (${cardFingerprint}, ${storeId}) on conflict do nothing`);
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

/** The primary method comes first. */
export const paymentMethodsOf = (db: Queryable, storeId: Id<'store'>): Promise<PaymentMethod[]> =>
  db.all(sql`select ${columns} from payment_methods where store_id = ${storeId} and replaced_at is null order by is_backup`);

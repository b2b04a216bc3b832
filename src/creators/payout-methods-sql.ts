import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';

export type PayoutMethod = {
  readonly payoutMethodId: Id<'pom'>;
  readonly creatorId: Id<'crt'>;
  readonly provider: 'sandbox' | 'stripe' | 'manual';
  /** The sandbox's word, the provider's own id, or for `manual` the sealed destination. Never one in clear. */
  readonly instrument: string;
  /** What may be shown of a sealed destination. */
  readonly last4: string | null;
  readonly madeAt: Date;
  readonly usableFrom: Date;
  /** A payout came back from there: nothing more is sent before the creator says where to. */
  readonly cameBackAt: Date | null;
  /** The person who set it; null: nobody signed in, or since before it was kept. */
  readonly setByUserId: Id<'user'> | null;
};

const columns = sql`payout_method_id, creator_id, provider, instrument, last4, made_at, usable_from, came_back_at, set_by_user_id`;

export async function insertPayoutMethod(
  db: Queryable,
  method: Omit<PayoutMethod, 'payoutMethodId' | 'cameBackAt' | 'setByUserId'> & Partial<Pick<PayoutMethod, 'setByUserId'>>,
): Promise<PayoutMethod> {
  return db.one(sql`
    insert into payout_methods (creator_id, payout_method_id, provider, instrument, last4, made_at, usable_from, set_by_user_id)
    values (${method.creatorId}, ${newId<'pom'>(method.madeAt)}, ${method.provider}, ${method.instrument},
            ${method.last4}, ${method.madeAt}, ${method.usableFrom}, ${method.setByUserId ?? null})
    returning ${columns}`);
}

export async function replacePayoutMethod(db: Queryable, creatorId: Id<'crt'>, at: Date): Promise<void> {
  await db.run(sql`update payout_methods set replaced_at = ${at} where creator_id = ${creatorId} and replaced_at is null`);
}

export async function findPayoutMethod(db: Queryable, creatorId: Id<'crt'>): Promise<PayoutMethod | null> {
  return db.find(sql`select ${columns} from payout_methods where creator_id = ${creatorId} and replaced_at is null`);
}

export async function methodCameBack(db: Queryable, key: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'>, at: Date): Promise<void> {
  await db.run(sql`
    update payout_methods set came_back_at = ${at}
    where creator_id = ${key.creatorId} and payout_method_id = ${key.payoutMethodId}`);
}

/** Of the creators of one page. */
export async function payoutMethodsOf(db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<ReadonlyMap<Id<'crt'>, PayoutMethod>> {
  const rows = await db.all<PayoutMethod>(sql`
    select ${columns} from payout_methods where creator_id = any(${creatorIds}::uuid[]) and replaced_at is null`);
  return new Map(rows.map((method) => [method.creatorId, method]));
}

/** Who decided where a payout goes. */
export async function whoSetMethod(
  db: Queryable,
  { creatorId, payoutMethodId }: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'>,
): Promise<Id<'user'> | null> {
  const method = await db.find<Pick<PayoutMethod, 'setByUserId'>>(sql`
    select set_by_user_id from payout_methods where creator_id = ${creatorId} and payout_method_id = ${payoutMethodId}`);
  return method?.setByUserId ?? null;
}

const accountsMax = 1_000;

/** Real accounts only, also those that were replaced. An erased one has no account any more. */
export const accountsEverOf = (db: Queryable, creatorId: Id<'crt'>): Promise<Array<Pick<PayoutMethod, 'provider' | 'instrument'>>> =>
  db.all(sql`
    select provider, instrument from payout_methods
    where creator_id = ${creatorId} and provider <> 'sandbox' and instrument <> 'erased'
    order by payout_method_id desc limit ${accountsMax}`);

/** Money waits until then before it goes there. */
export async function delayPayoutMethod(
  db: Queryable,
  { creatorId, payoutMethodId, until }: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'> & { readonly until: Date },
): Promise<void> {
  await db.run(sql`
    update payout_methods set usable_from = greatest(usable_from, ${until})
    where creator_id = ${creatorId} and payout_method_id = ${payoutMethodId}`);
}

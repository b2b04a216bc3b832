import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import { newId, type Id } from '../core/ids.ts';

export type PayoutMethod = {
  readonly payoutMethodId: Id<'pom'>;
  readonly creatorId: Id<'crt'>;
  readonly provider: 'sandbox' | 'stripe' | 'manual';
  /** A sandbox outcome, the provider's ID, or for `manual` the sealed destination. Never a plain-text account. */
  readonly instrument: string;
  /** The last characters of a sealed destination, for display. */
  readonly last4: string | null;
  readonly madeAt: Date;
  readonly usableFrom: Date;
  /** A payout was returned: nothing more is sent until the creator confirms or changes the method. */
  readonly cameBackAt: Date | null;
  /** The person who set it; null if it was not set by a signed-in person, or before this was stored. */
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

export async function markPayoutReturned(db: Queryable, key: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'>, at: Date): Promise<void> {
  await db.run(sql`
    update payout_methods set came_back_at = ${at}
    where creator_id = ${key.creatorId} and payout_method_id = ${key.payoutMethodId}`);
}

export async function listPayoutMethods(
  db: Queryable,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<ReadonlyMap<Id<'crt'>, PayoutMethod>> {
  const rows = await db.all<PayoutMethod>(sql`
    select ${columns} from payout_methods where creator_id = any(${uuids(creatorIds)}) and replaced_at is null`);
  return new Map(rows.map((method) => [method.creatorId, method]));
}

export async function findMethodSetter(
  db: Queryable,
  { creatorId, payoutMethodId }: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'>,
): Promise<Id<'user'> | null> {
  const method = await db.find<Pick<PayoutMethod, 'setByUserId'>>(sql`
    select set_by_user_id from payout_methods where creator_id = ${creatorId} and payout_method_id = ${payoutMethodId}`);
  return method?.setByUserId ?? null;
}

const accountsPerCreatorMax = 1_000;

/** Real accounts, including replaced ones but not erased ones, newest first. By primary key. */
export const listAccountsEverUsed = (
  db: Queryable,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<Array<Pick<PayoutMethod, 'creatorId' | 'provider' | 'instrument'>>> =>
  db.all(sql`
    select creator_id, provider, instrument from (
      select creator_id, provider, instrument, row_number() over (partition by creator_id order by payout_method_id desc) as place
      from payout_methods where creator_id = any(${uuids(creatorIds)}) and provider <> 'sandbox' and instrument <> 'erased'
    ) newest where place <= ${accountsPerCreatorMax}`);

/** Payouts to this method wait until then. */
export async function delayPayoutMethod(
  db: Queryable,
  { creatorId, payoutMethodId, until }: Pick<PayoutMethod, 'creatorId' | 'payoutMethodId'> & { readonly until: Date },
): Promise<void> {
  await db.run(sql`
    update payout_methods set usable_from = greatest(usable_from, ${until})
    where creator_id = ${creatorId} and payout_method_id = ${payoutMethodId}`);
}

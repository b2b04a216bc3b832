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
};

const columns = sql`payout_method_id, creator_id, provider, instrument, last4, made_at, usable_from, came_back_at`;

export async function insertPayoutMethod(
  db: Queryable,
  method: Omit<PayoutMethod, 'payoutMethodId' | 'cameBackAt'>,
): Promise<PayoutMethod> {
  return db.one(sql`
    insert into payout_methods (creator_id, payout_method_id, provider, instrument, last4, made_at, usable_from)
    values (${method.creatorId}, ${newId<'pom'>(method.madeAt)}, ${method.provider}, ${method.instrument},
            ${method.last4}, ${method.madeAt}, ${method.usableFrom})
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

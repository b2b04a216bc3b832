import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type Pair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Who promotes which store, all creators in the order of their ids. Crosses all of them, a stretch at a time, by primary key. */
export const pairsAfter = (db: Queryable, after: Pair | null, limit: number): Promise<Pair[]> =>
  db.all(sql`
    select creator_id, store_id from creator_stores
    ${after === null ? nothing : sql`where (creator_id, store_id) > (${after.creatorId}, ${after.storeId})`}
    order by creator_id, store_id limit ${limit}`);

export type TeamMember = {
  readonly storeId: Id<'store'>;
  readonly userId: Id<'user'>;
  readonly email: string;
  /** The creator that the same person is. */
  readonly creatorId: Id<'crt'> | null;
};

export const teamsOf = (db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<TeamMember[]> =>
  db.all(sql`
    select r.store_id, u.user_id, u.email, u.creator_id from store_roles r join users u on u.user_id = r.user_id
    where r.store_id = any(${storeIds}::uuid[])`);

export type CreatorPerson = {
  readonly creatorId: Id<'crt'>;
  readonly email: string;
  readonly userId: Id<'user'> | null;
  readonly userEmail: string | null;
};

export const creatorPeople = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<CreatorPerson[]> =>
  db.all(sql`
    select c.creator_id, c.email, u.user_id, u.email as user_email from creators c left join users u on u.creator_id = c.creator_id
    where c.creator_id = any(${creatorIds}::uuid[])`);

/** The network of each person's first session, as long as it is kept: within the hour in which they were made. */
export const signUpNetworks = (
  db: Queryable,
  userIds: ReadonlyArray<Id<'user'>>,
): Promise<Array<{ readonly userId: Id<'user'>; readonly addressHash: Buffer }>> =>
  db.all(sql`
    select distinct s.user_id, s.address_hash from sessions s join users u on u.user_id = s.user_id
    where s.user_id = any(${userIds}::uuid[]) and s.created_at <= u.created_at + interval '1 hour'`);

export type SealedTaxId = { readonly creatorId: Id<'crt'>; readonly taxIdSealed: Buffer };

export const sealedTaxIds = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<SealedTaxId[]> =>
  db.all(sql`select creator_id, tax_id_sealed from creator_tax where creator_id = any(${creatorIds}::uuid[])`);

import type { Queryable } from '../db/database.ts';
import { emptySql, sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type Pair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Pairs of creators and the stores they promote, in ID order, a page at a time. Crosses all creators, by primary key. */
export const listPairs = (db: Queryable, after: Pair | null, limit: number): Promise<Pair[]> =>
  db.all(sql`
    select creator_id, store_id from creator_stores
    ${after === null ? emptySql : sql`where (creator_id, store_id) > (${after.creatorId}, ${after.storeId})`}
    order by creator_id, store_id limit ${limit}`);

export type TeamMember = {
  readonly storeId: Id<'store'>;
  readonly userId: Id<'user'>;
  readonly email: string;
  /** The creator profile of the same person. */
  readonly creatorId: Id<'crt'> | null;
};

export const listTeams = (db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<TeamMember[]> =>
  db.all(sql`
    select r.store_id, u.user_id, u.email, u.creator_id from store_roles r join users u on u.user_id = r.user_id
    where r.store_id = any(${uuids(storeIds)})`);

export type CreatorPerson = {
  readonly creatorId: Id<'crt'>;
  readonly email: string;
  readonly userId: Id<'user'> | null;
  readonly userEmail: string | null;
};

export const listCreatorPeople = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<CreatorPerson[]> =>
  db.all(sql`
    select c.creator_id, c.email, u.user_id, u.email as user_email from creators c left join users u on u.creator_id = c.creator_id
    where c.creator_id = any(${uuids(creatorIds)})`);

/** The network of each person's first session, within an hour of their sign-up, as long as the session is stored. */
export const listSignUpNetworks = (
  db: Queryable,
  userIds: ReadonlyArray<Id<'user'>>,
): Promise<Array<{ readonly userId: Id<'user'>; readonly addressHash: Buffer }>> =>
  db.all(sql`
    select distinct s.user_id, s.address_hash from sessions s join users u on u.user_id = s.user_id
    where s.user_id = any(${uuids(userIds)}) and s.created_at <= u.created_at + interval '1 hour'`);

export type SealedTaxId = { readonly creatorId: Id<'crt'>; readonly taxIdSealed: Buffer };

export const listSealedTaxIds = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<SealedTaxId[]> =>
  db.all(sql`select creator_id, tax_id_sealed from creator_tax where creator_id = any(${uuids(creatorIds)})`);

export type StoreCard = { readonly storeId: Id<'store'>; readonly card: string };

/** Current and former cards of stores. By store_cards_of_store. */
export const listCardsOfStores = (db: Queryable, storeIds: ReadonlyArray<Id<'store'>>): Promise<StoreCard[]> =>
  db.all(sql`select store_id, card_fingerprint as card from store_cards where store_id = any(${uuids(storeIds)})`);

const storesPerQueryMax = 10_000;

/** All stores with one of those cards, now or earlier. By primary key. */
export const listStoresWithCards = (db: Queryable, cards: readonly string[]): Promise<StoreCard[]> =>
  db.all(sql`
    select store_id, card_fingerprint as card from store_cards where card_fingerprint = any(${texts(cards)})
    order by card_fingerprint, store_id limit ${storesPerQueryMax}`);

/** Which of those creators promote which of those stores. By primary key. */
export const listPromoters = (db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>, storeIds: ReadonlyArray<Id<'store'>>): Promise<Pair[]> =>
  db.all(sql`
    select creator_id, store_id from creator_stores
    where creator_id = any(${uuids(creatorIds)}) and store_id = any(${uuids(storeIds)})`);

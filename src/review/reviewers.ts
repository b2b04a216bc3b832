import { peopleToTell } from '../merchants/people-to-tell.ts';
import type { StoreMailKind } from '../merchants/store-mails-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';

/** The people of a store who may decide on commissions and want to hear of it: who is told that something waits. */
export const reviewersOf = (db: Queryable, storeId: Id<'store'>, kind: StoreMailKind) =>
  peopleToTell(db, { storeId, kind, may: 'commissions:review' });

import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Identity } from './identity.ts';
import { findKeyMaker } from './keys-sql.ts';

/** Where two people must agree, a key counts as its creator, so that creating a key does not provide the second person. */
export const userBehindRequest = async (db: Queryable, { by }: Identity): Promise<Id<'user'> | null> =>
  by.is === 'session' ? by.userId : findKeyMaker(db, by.apiKeyId);

import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Identity } from './identity.ts';
import { makerOfKey } from './keys-sql.ts';

/** Where two people have to agree, a key is the one who made it: nobody agrees with themselves by making a key. */
export const personBehind = async (db: Queryable, { by }: Identity): Promise<Id<'user'> | null> =>
  by.is === 'session' ? by.userId : makerOfKey(db, by.apiKeyId);

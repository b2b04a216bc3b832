import { randomBytes } from 'node:crypto';
import { insertRole } from '../people/team-sql.ts';
import type { Queryable } from '../db/database.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { readSite } from './site.ts';
import { claimTrackingKey, insertStore, setArchived, type Store } from './stores-sql.ts';

const trackingKeyBytes = 18;

type NewStore = {
  readonly name: string;
  readonly siteUrl: string;
  /** Null if an operator's API key creates the store: it has no owner until a person is invited. */
  readonly ownerId: Id<'user'> | null;
  readonly at: Date;
};

export async function createStore(db: Queryable, { name, siteUrl, ownerId, at }: NewStore): Promise<Store | Refusal> {
  const site = readSite(siteUrl);
  if (site.is === 'wrong')
    return refuse('unprocessable', 'This is not the address of a shop; see errors.', [{ field: 'site_url', message: site.message }]);
  const storeId = newId<'store'>(at);
  const trackingKey = `tk_${randomBytes(trackingKeyBytes).toString('base64url')}`;
  invariant(await claimTrackingKey(db, { storeId, trackingKey }), '144 random bits are unique');
  const store = await insertStore(db, { storeId, name, siteUrl: site.siteUrl, trackingKey, createdAt: at });
  if (ownerId !== null) await insertRole(db, { userId: ownerId, storeId, role: 'owner', now: at });
  return store;
}

export const archiveStore = (db: Queryable, of: { readonly storeId: Id<'store'>; readonly at: Date }): Promise<Store> =>
  setArchived(db, of);

export const unarchiveStore = (db: Queryable, storeId: Id<'store'>): Promise<Store> => setArchived(db, { storeId, at: null });

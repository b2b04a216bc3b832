import type { Queryable } from '../db/database.ts';
import { notFound, refuse, type Refusal } from '../http/responses.ts';
import type { Id } from '../core/ids.ts';
import { decideSite, landingOriginsMax, type LandingOrigin, type MovedPages } from './decide-site.ts';
import { siteOf } from './site.ts';
import { landingOriginsOfPrograms, moveProgramPages, updateSite, type Move, type OfStore } from './site-sql.ts';
import { findStore, lockStore } from './stores-sql.ts';

type SiteChange = { readonly storeId: Id<'store'>; readonly siteUrl: string; readonly movesPages: boolean; readonly at: Date };
export type ChangedSite = { readonly from: string; readonly to: string } & Pick<MovedPages, 'programs' | 'links'>;

/** Links and test links are in higher layers, so the caller passes in what a change of site does to them. */
export type LinksOfStore = {
  readonly landingOrigins: (db: Queryable, query: OfStore & { readonly most: number }) => Promise<readonly LandingOrigin[]>;
  readonly movePages: (db: Queryable, move: Move) => Promise<number>;
  readonly endTestLinks: (db: Queryable, query: OfStore & { readonly at: Date }) => Promise<number>;
};

/**
 * Locks the store before it counts the pages: new links and programs read the site under a shared lock of the same row, so none is checked
 * against the former site and stored after the count. Null if the site does not change.
 */
export async function changeSite(
  db: Queryable,
  linksOfStore: LinksOfStore,
  { storeId, siteUrl, movesPages, at }: SiteChange,
): Promise<ChangedSite | Refusal | null> {
  await lockStore(db, storeId);
  const store = await findStore(db, storeId);
  if (store === null) return notFound;
  const most = landingOriginsMax + 1;
  const programs = await landingOriginsOfPrograms(db, { storeId, most });
  const links = await linksOfStore.landingOrigins(db, { storeId, most });
  const decision = decideSite({ current: store.siteUrl, wanted: siteUrl, movesPages, programs, links });
  if (decision.do === 'refuse') return refuse(decision.reason, decision.message, decision.fieldErrors);
  if (decision.do === 'keep') return null;
  const { moved } = decision;
  if (moved.from.length > 0) {
    await moveProgramPages(db, { storeId, ...moved });
    await linksOfStore.movePages(db, { storeId, ...moved });
  }
  if (siteOf(decision.siteUrl).host !== siteOf(store.siteUrl).host) await linksOfStore.endTestLinks(db, { storeId, at });
  await updateSite(db, { storeId, siteUrl: decision.siteUrl });
  return { from: store.siteUrl, to: decision.siteUrl, programs: moved.programs, links: moved.links };
}

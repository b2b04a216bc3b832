import type { Queryable } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type TestLink = {
  readonly storeId: Id<'store'>;
  readonly testLinkId: Id<'tlink'>;
  readonly clickId: Id<'click'>;
  readonly url: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export type ClickOfStore = { readonly storeId: Id<'store'>; readonly clickId: Id<'click'> };

export const testLinksByClick = (db: Queryable, clicks: readonly ClickOfStore[]): Promise<TestLink[]> =>
  queryByStore(clicks, (storeId, ofStore) =>
    db.all<TestLink>(sql`
      select store_id, test_link_id, click_id, url, created_at, expires_at from test_links
      where store_id = ${storeId} and click_id = any(${uuids(ofStore.map(({ clickId }) => clickId))})`),
  );

export const insertTestLink = (db: Queryable, link: TestLink): Promise<number> =>
  db.run(sql`
    insert into test_links (store_id, test_link_id, click_id, url, created_at, expires_at)
    values (${link.storeId}, ${link.testLinkId}, ${link.clickId}, ${link.url}, ${link.createdAt}, ${link.expiresAt})`);

export async function countOpenTestLinks(db: Queryable, storeId: Id<'store'>, now: Date): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from test_links where store_id = ${storeId} and expires_at > ${now}`);
  return Number(count);
}

export type OpenTestLink = TestLink & { readonly openedAt: Date | null };
type TestLinkKey = Pick<TestLink, 'storeId' | 'testLinkId'>;

/** Test links that have not expired, newest first; a store has at most five. */
export const openTestLinks = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<OpenTestLink[]> =>
  db.all(sql`
    select store_id, test_link_id, click_id, url, created_at, expires_at, opened_at
    from test_links where store_id = ${storeId} and expires_at > ${now} order by test_link_id desc`);

export const findOpenTestLink = (db: Queryable, { storeId, testLinkId }: TestLinkKey, now: Date): Promise<OpenTestLink | null> =>
  db.find(sql`
    select store_id, test_link_id, click_id, url, created_at, expires_at, opened_at
    from test_links where store_id = ${storeId} and test_link_id = ${testLinkId} and expires_at > ${now}`);

/** Keeps the first time. */
export const markTestLinkOpened = (db: Queryable, { storeId, testLinkId }: TestLinkKey, at: Date): Promise<number> =>
  db.run(sql`
    update test_links set opened_at = ${at} where store_id = ${storeId} and test_link_id = ${testLinkId} and opened_at is null`);

/** Ends open test links after the store's site has changed, because they lead to the earlier one. */
export const endTestLinks = (db: Queryable, { storeId, at }: { readonly storeId: Id<'store'>; readonly at: Date }): Promise<number> =>
  db.run(sql`update test_links set expires_at = ${at} where store_id = ${storeId} and expires_at > ${at}`);

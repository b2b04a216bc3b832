import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { jsonText } from '../platform/http/json.ts';
import type { Id } from '../platform/ids.ts';
import type { AskedFor } from './decide-check.ts';
import type { PageCheck, PageFound } from './page-check.ts';

/** The newest that came to an end. A store has a handful of rows. */
export const lastPageCheck = (db: Queryable, storeId: Id<'store'>): Promise<PageCheck | null> =>
  db.find(sql`
    select at, page_url, found from integration_checks
    where store_id = ${storeId} and found is not null order by integration_check_id desc limit 1`);

/** Since then, oldest first; by real time. */
export const checksSince = (db: Queryable, storeId: Id<'store'>, since: Date): Promise<AskedFor[]> =>
  db.all(sql`
    select asked_at, found is null as is_under_way from integration_checks
    where store_id = ${storeId} and asked_at > ${since} order by asked_at`);

type CheckOfStore = { readonly storeId: Id<'store'>; readonly checkId: Id<'ichk'> };
type Begun = CheckOfStore & { readonly at: Date; readonly askedAt: Date; readonly pageUrl: string };

export const beginCheck = (db: Queryable, { storeId, checkId, at, askedAt, pageUrl }: Begun): Promise<number> =>
  db.run(sql`
    insert into integration_checks (store_id, integration_check_id, at, asked_at, page_url)
    values (${storeId}, ${checkId}, ${at}, ${askedAt}, ${pageUrl})`);

export const endCheck = (db: Queryable, { storeId, checkId }: CheckOfStore, found: PageFound): Promise<number> =>
  db.run(sql`
    update integration_checks set found = ${jsonText(found)}::jsonb where store_id = ${storeId} and integration_check_id = ${checkId}`);

/** All that neither a limit nor the light asks for any more: this one ended, so it is the newest. */
export const forgetChecksBefore = (db: Queryable, { storeId, checkId }: CheckOfStore, before: Date): Promise<number> =>
  db.run(sql`
    delete from integration_checks where store_id = ${storeId} and integration_check_id < ${checkId} and asked_at <= ${before}`);

import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { jsonText } from '../core/json.ts';
import type { Id } from '../core/ids.ts';
import type { RequestedCheck } from './decide-page-check.ts';
import type { PageCheck, PageResult } from './page-check.ts';

/** The latest finished check. A store has few rows. */
export const lastPageCheck = (db: Queryable, storeId: Id<'store'>): Promise<PageCheck | null> =>
  db.find(sql`
    select at, page_url, found from integration_checks
    where store_id = ${storeId} and found is not null order by integration_check_id desc limit 1`);

/** Oldest first, in real time. */
export const checksSince = (db: Queryable, storeId: Id<'store'>, since: Date): Promise<RequestedCheck[]> =>
  db.all(sql`
    select asked_at as requested_at, found is null as is_under_way from integration_checks
    where store_id = ${storeId} and asked_at > ${since} order by asked_at`);

type CheckOfStore = { readonly storeId: Id<'store'>; readonly checkId: Id<'ichk'> };
type Begun = CheckOfStore & { readonly at: Date; readonly requestedAt: Date; readonly pageUrl: string };

export const insertCheck = (db: Queryable, { storeId, checkId, at, requestedAt, pageUrl }: Begun): Promise<number> =>
  db.run(sql`
    insert into integration_checks (store_id, integration_check_id, at, asked_at, page_url)
    values (${storeId}, ${checkId}, ${at}, ${requestedAt}, ${pageUrl})`);

export const saveCheckResult = (db: Queryable, { storeId, checkId }: CheckOfStore, found: PageResult): Promise<number> =>
  db.run(sql`
    update integration_checks set found = ${jsonText(found)}::jsonb where store_id = ${storeId} and integration_check_id = ${checkId}`);

/** Deletes checks that neither the limit nor the integration check needs: this one finished, so it is the latest. */
export const deleteChecksBefore = (db: Queryable, { storeId, checkId }: CheckOfStore, before: Date): Promise<number> =>
  db.run(sql`
    delete from integration_checks where store_id = ${storeId} and integration_check_id < ${checkId} and asked_at <= ${before}`);

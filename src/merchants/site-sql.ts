import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { LandingOrigin } from './decide-site.ts';

type OfStore = { readonly storeId: Id<'store'> };
type Row = { readonly origin: string; readonly count: bigint; readonly lengthMax: number };

const originOf = sql`'^https?://[^/?#]+'`;

const counted = (rows: readonly Row[]): readonly LandingOrigin[] => rows.map((row) => ({ ...row, count: Number(row.count) }));

/** Stored landing pages are parsed addresses, so scheme, host, and port end at the first slash. */
export async function landingOriginsOfPrograms(db: Queryable, { storeId, most }: OfStore & { readonly most: number }) {
  return counted(
    await db.all<Row>(sql`
      select substring(landing_url from ${originOf}) as origin, count(*) as count, max(length(landing_url)) as length_max
      from programs where store_id = ${storeId} group by 1 order by 1 limit ${most}`),
  );
}

export async function landingOriginsOfLinks(db: Queryable, { storeId, most }: OfStore & { readonly most: number }) {
  return counted(
    await db.all<Row>(sql`
      select substring(destination_url from ${originOf}) as origin, count(*) as count, max(length(destination_url)) as length_max
      from links where store_id = ${storeId} and destination_url is not null group by 1 order by 1 limit ${most}`),
  );
}

type Move = OfStore & { readonly from: readonly string[]; readonly to: string };

export const moveProgramPages = (db: Queryable, { storeId, from, to }: Move): Promise<number> =>
  db.run(sql`
    update programs set landing_url = ${to} || substr(landing_url, length(substring(landing_url from ${originOf})) + 1)
    where store_id = ${storeId} and substring(landing_url from ${originOf}) = any(${from}::text[])`);

export const moveLinkPages = (db: Queryable, { storeId, from, to }: Move): Promise<number> =>
  db.run(sql`
    update links set destination_url = ${to} || substr(destination_url, length(substring(destination_url from ${originOf})) + 1)
    where store_id = ${storeId} and substring(destination_url from ${originOf}) = any(${from}::text[])`);

/** Test links that are open lead to the former site. */
export const endTestLinks = (db: Queryable, { storeId, at }: OfStore & { readonly at: Date }): Promise<number> =>
  db.run(sql`update test_links set expires_at = ${at} where store_id = ${storeId} and expires_at > ${at}`);

export async function updateSite(db: Queryable, { storeId, siteUrl }: OfStore & { readonly siteUrl: string }): Promise<void> {
  await db.run(sql`update stores set site_url = ${siteUrl} where store_id = ${storeId}`);
}

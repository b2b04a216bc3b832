import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { LandingOrigin } from './decide-site.ts';

export type OfStore = { readonly storeId: Id<'store'> };
export type OriginRow = { readonly origin: string; readonly count: bigint; readonly lengthMax: number };

/** Stored landing pages are parsed addresses, so scheme, host, and port end at the first slash. */
export const originOf = sql`'^https?://[^/?#]+'`;

export const countedOrigins = (rows: readonly OriginRow[]): readonly LandingOrigin[] =>
  rows.map((row) => ({ ...row, count: Number(row.count) }));

export async function landingOriginsOfPrograms(db: Queryable, { storeId, most }: OfStore & { readonly most: number }) {
  return countedOrigins(
    await db.all<OriginRow>(sql`
      select substring(landing_url from ${originOf}) as origin, count(*) as count, max(length(landing_url)) as length_max
      from programs where store_id = ${storeId} group by 1 order by 1 limit ${most}`),
  );
}

export type Move = OfStore & { readonly from: readonly string[]; readonly to: string };

export const moveProgramPages = (db: Queryable, { storeId, from, to }: Move): Promise<number> =>
  db.run(sql`
    update programs set landing_url = ${to} || substr(landing_url, length(substring(landing_url from ${originOf})) + 1)
    where store_id = ${storeId} and substring(landing_url from ${originOf}) = any(${texts(from)})`);

export async function updateSite(db: Queryable, { storeId, siteUrl }: OfStore & { readonly siteUrl: string }): Promise<void> {
  await db.run(sql`update stores set site_url = ${siteUrl} where store_id = ${storeId}`);
}

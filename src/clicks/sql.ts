import type { Queryable } from '../platform/database/database.ts';
import { sql, type Sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** A person who came by a link, with all that a later order needs of it. */
export type Click = {
  readonly storeId: Id<'store'>;
  readonly clickId: Id<'click'>;
  readonly linkNumber: bigint;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly subId: string | null;
  readonly referrerHost: string | null;
  readonly addressHash: Buffer;
};

/** All values come as arrays, so that one statement writes any number of clicks. */
const rowsOf = (clicks: readonly Click[]): Sql => sql`
  select * from unnest(
    ${clicks.map(({ storeId }) => storeId)}::uuid[], ${clicks.map(({ clickId }) => clickId)}::uuid[],
    ${clicks.map(({ linkNumber }) => linkNumber)}::bigint[], ${clicks.map(({ programId }) => programId)}::uuid[],
    ${clicks.map(({ creatorId }) => creatorId)}::uuid[], ${clicks.map(({ subId }) => subId)}::text[],
    ${clicks.map(({ referrerHost }) => referrerHost)}::text[], ${clicks.map(({ addressHash }) => addressHash)}::bytea[])`;

/** Their ids were minted just now. To look for each of them first, and to tell which were new, would be work for nothing. */
export async function insertClicks(db: Queryable, clicks: readonly Click[]): Promise<void> {
  await db.run(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash) ${rowsOf(clicks)}`);
}

/** For those that may be there already (a commit's answer got lost): says which were new, for none is counted twice. */
export async function insertClicksAgain(db: Queryable, clicks: readonly Click[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ clickId: string }>(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash) ${rowsOf(clicks)}
    on conflict do nothing returning click_id`);
  return new Set(rows.map(({ clickId }) => clickId));
}

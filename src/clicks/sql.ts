import type { Queryable } from '../platform/database/database.ts';
import { prepared, sql } from '../platform/database/sql.ts';
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

/** Their ids were minted just now. To look for each of them first, and to tell which were new, would be work for nothing. */
export async function insertClicks(db: Queryable, clicks: readonly Click[]): Promise<void> {
  const of = <Value>(value: (click: Click) => Value) => clicks.map(value);
  await db.run(prepared`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    select * from unnest(
      ${of(({ storeId }) => storeId)}::uuid[], ${of(({ clickId }) => clickId)}::uuid[], ${of(({ linkNumber }) => linkNumber)}::bigint[],
      ${of(({ programId }) => programId)}::uuid[], ${of(({ creatorId }) => creatorId)}::uuid[], ${of(({ subId }) => subId)}::text[],
      ${of(({ referrerHost }) => referrerHost)}::text[], ${of(({ addressHash }) => addressHash)}::bytea[])`);
}

/** For those that may be there already (a commit's answer got lost): says which were new, for none is counted twice. */
export async function insertClicksAgain(db: Queryable, clicks: readonly Click[]): Promise<ReadonlySet<string>> {
  const of = <Value>(value: (click: Click) => Value) => clicks.map(value);
  const rows = await db.all<{ clickId: string }>(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    select * from unnest(
      ${of(({ storeId }) => storeId)}::uuid[], ${of(({ clickId }) => clickId)}::uuid[], ${of(({ linkNumber }) => linkNumber)}::bigint[],
      ${of(({ programId }) => programId)}::uuid[], ${of(({ creatorId }) => creatorId)}::uuid[], ${of(({ subId }) => subId)}::text[],
      ${of(({ referrerHost }) => referrerHost)}::text[], ${of(({ addressHash }) => addressHash)}::bytea[])
    on conflict do nothing returning click_id`);
  return new Set(rows.map(({ clickId }) => clickId));
}

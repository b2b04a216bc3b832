import type { Queryable } from '../db/database.ts';
import { bigints, byteas, prepared, sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** A person's visit by a link, with everything that a later order needs. */
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

/** Inserts without a conflict check, because the IDs were just minted. */
export async function insertClicks(db: Queryable, clicks: readonly Click[]): Promise<void> {
  const of = <Value>(value: (click: Click) => Value) => clicks.map(value);
  await db.run(prepared`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    select * from unnest(
      ${uuids(of(({ storeId }) => storeId))}, ${uuids(of(({ clickId }) => clickId))}, ${bigints(of(({ linkNumber }) => linkNumber))},
      ${uuids(of(({ programId }) => programId))}, ${uuids(of(({ creatorId }) => creatorId))}, ${texts(of(({ subId }) => subId))},
      ${texts(of(({ referrerHost }) => referrerHost))}, ${byteas(of(({ addressHash }) => addressHash))})`);
}

/** For clicks that may already exist, because a commit's response was lost. Returns the new ones, so that none is counted twice. */
export async function insertMissingClicks(db: Queryable, clicks: readonly Click[]): Promise<ReadonlySet<string>> {
  const of = <Value>(value: (click: Click) => Value) => clicks.map(value);
  const rows = await db.all<{ clickId: string }>(sql`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    select * from unnest(
      ${uuids(of(({ storeId }) => storeId))}, ${uuids(of(({ clickId }) => clickId))}, ${bigints(of(({ linkNumber }) => linkNumber))},
      ${uuids(of(({ programId }) => programId))}, ${uuids(of(({ creatorId }) => creatorId))}, ${texts(of(({ subId }) => subId))},
      ${texts(of(({ referrerHost }) => referrerHost))}, ${byteas(of(({ addressHash }) => addressHash))})
    on conflict do nothing returning click_id`);
  return new Set(rows.map(({ clickId }) => clickId));
}

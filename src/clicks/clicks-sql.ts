import type { Queryable } from '../db/database.ts';
import { insertRows } from '../db/insert-rows.ts';
import { bigints, byteas, inserting, type Sql, texts, uuids } from '../db/sql.ts';
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

const columnsOf = (clicks: readonly Click[]) => [
  uuids(clicks.map(({ storeId }) => storeId)),
  uuids(clicks.map(({ clickId }) => clickId)),
  bigints(clicks.map(({ linkNumber }) => linkNumber)),
  uuids(clicks.map(({ programId }) => programId)),
  uuids(clicks.map(({ creatorId }) => creatorId)),
  texts(clicks.map(({ subId }) => subId)),
  texts(clicks.map(({ referrerHost }) => referrerHost)),
  byteas(clicks.map(({ addressHash }) => addressHash)),
];

/** Without a conflict check, because the IDs were just minted. */
export const clickInserts = (clicks: readonly Click[]): readonly Sql[] =>
  inserting`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    ${columnsOf(clicks)}`;

export const insertClicks = (db: Queryable, clicks: readonly Click[]): Promise<number> => insertRows(db, clickInserts(clicks));

/** For clicks that may already exist, because a commit's response was lost. Returns the new ones, so that none is counted twice. */
export async function insertMissingClicks(db: Queryable, clicks: readonly Click[]): Promise<ReadonlySet<string>> {
  const statements = inserting`
    insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
    ${columnsOf(clicks)}
    on conflict do nothing returning click_id`;
  const rows = (await Promise.all(statements.map((statement) => db.all<{ clickId: string }>(statement)))).flat();
  return new Set(rows.map(({ clickId }) => clickId));
}

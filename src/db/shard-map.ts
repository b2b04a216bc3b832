import type { Host } from '../core/database-hosts.ts';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** A range of hash values and the node that holds its rows. `group` is Citus's number of a node, which survives a change of address. */
export type Shard = { readonly min: number; readonly max: number; readonly group: number } & Host;

/**
 * The shards of stores in the order of their ranges. All tables of stores are distributed alike, so this is the node of all rows of a
 * store. Every node has a copy of these catalogs.
 */
export const readShards = (db: Queryable): Promise<Shard[]> =>
  db.all(sql`
    select shard.shardminvalue::int as min, shard.shardmaxvalue::int as max, node.groupid as "group", node.nodename as name,
      node.nodeport as port
    from pg_dist_shard shard
    join pg_dist_placement placement on placement.shardid = shard.shardid
    join pg_dist_node node on node.groupid = placement.groupid and node.noderole = 'primary'
    where shard.logicalrelid = to_regclass('stores')
    order by min`);

/** Citus's number of the node that answers this query. */
export async function readOwnGroup(db: Queryable): Promise<number> {
  const { group } = await db.one<{ group: number }>(sql`select groupid as "group" from pg_dist_local_group`);
  return group;
}

/** The shard of a UUID, by binary search. Undefined if there are no shards. */
export function shardOf(shards: readonly Shard[], uuid: string): Shard | undefined {
  if (shards.length === 0) return undefined;
  const hash = hashOfUuid(uuid);
  let from = 0;
  let to = shards.length - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (hash > (shards[middle]?.max ?? 0)) from = middle + 1;
    else to = middle;
  }
  return shards[from];
}

const uuidBytes = 16;

/**
 * PostgreSQL's `uuid_hash`, by which Citus distributes rows: Bob Jenkins' lookup3 over 16 bytes. Computed here, because asking a node
 * for each store would need a query and a cache. A wrong result would only cost speed, because every node finds the rows.
 */
export function hashOfUuid(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const initial = (0x9e3779b9 + uuidBytes + 3_923_095) | 0;
  const mixed = mix((initial + bytes.readInt32LE(0)) | 0, (initial + bytes.readInt32LE(4)) | 0, (initial + bytes.readInt32LE(8)) | 0);
  return finish((mixed.a + bytes.readInt32LE(12)) | 0, mixed.b, mixed.c);
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

function mix(first: number, second: number, third: number) {
  let [a, b, c] = [first, second, third];
  a = ((a - c) ^ rotate(c, 4)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotate(a, 6)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotate(b, 8)) | 0;
  b = (b + a) | 0;
  a = ((a - c) ^ rotate(c, 16)) | 0;
  c = (c + b) | 0;
  b = ((b - a) ^ rotate(a, 19)) | 0;
  a = (a + c) | 0;
  c = ((c - b) ^ rotate(b, 4)) | 0;
  b = (b + a) | 0;
  return { a, b, c };
}

function finish(first: number, second: number, third: number): number {
  let [a, b, c] = [first, second, third];
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  return ((c ^ b) - rotate(b, 24)) | 0;
}

import type { Difference } from './check.ts';
import type { Queryable } from './database.ts';
import { differencesMax } from './differences.ts';
import { ints, sql, type Sql } from './sql.ts';

/**
 * Stores and creators may be on different machines, so what must agree between them is not joined. Each side is summed up where it is, in
 * buckets by the hash of a key, and only buckets whose sums differ are read, and compared row by row.
 */
export type Sides = {
  /** Queries of `key` and `value`, both text. What `compare` would report differs here. */
  readonly one: Sql;
  readonly other: Sql;
  /** Reads the rows of both sides whose key is in some buckets: `isRead(key)` is the condition. */
  readonly compare: (isRead: (key: Sql) => Sql) => Promise<readonly Difference[]>;
};

const bucketCount = 4_096;
/** Bounds the memory of a comparison. A single bucket may have more. */
const rowsPerComparison = 20_000n;

const bucketOf = (key: Sql): Sql => sql`(hashtextextended(${key}, 0) & ${bucketCount - 1}::bigint)`;

export async function compareSides(db: Queryable, { one, other, compare }: Sides): Promise<readonly Difference[]> {
  const differing = differingBuckets(await sumUp(db, one), await sumUp(db, other));
  const found: Difference[] = [];
  for (const buckets of chunksOf(differing)) {
    found.push(...(await compare((key) => sql`${bucketOf(key)} = any(${ints(buckets)})`)));
    if (found.length >= differencesMax) break;
  }
  return found.slice(0, differencesMax);
}

type Bucket = { readonly bucket: bigint; readonly rows: bigint; readonly sum: bigint };

/** A sum of hashes is the same in every order, and machines can add their parts. */
async function sumUp(db: Queryable, side: Sql): Promise<ReadonlyMap<bigint, Bucket>> {
  const buckets = await db.all<Bucket>(sql`
    select ${bucketOf(sql`key`)} as bucket, count(*) as rows, sum(hashtextextended(key || ' ' || value, 0)::numeric) as sum
    from (${side}) as side group by 1`);
  return new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
}

type DifferingBucket = { readonly bucket: bigint; readonly rows: bigint };

function differingBuckets(one: ReadonlyMap<bigint, Bucket>, other: ReadonlyMap<bigint, Bucket>): readonly DifferingBucket[] {
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((bucket) => {
    const [left, right] = [one.get(bucket), other.get(bucket)];
    if (left?.rows === right?.rows && left?.sum === right?.sum) return [];
    return [{ bucket, rows: (left?.rows ?? 0n) + (right?.rows ?? 0n) }];
  });
}

function chunksOf(buckets: readonly DifferingBucket[]): ReadonlyArray<readonly bigint[]> {
  const chunks: bigint[][] = [];
  let rowsInChunk = rowsPerComparison;
  for (const { bucket, rows } of buckets) {
    if (rowsInChunk + rows > rowsPerComparison) {
      chunks.push([]);
      rowsInChunk = 0n;
    }
    chunks.at(-1)?.push(bucket);
    rowsInChunk += rows;
  }
  return chunks;
}

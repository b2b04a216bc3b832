import type { Queryable } from '../db/database.ts';
import { insertRows } from '../db/insert-rows.ts';
import { byteas, emptySql, inserting, ints, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Page } from '../http/page.ts';
import type { AssetFileType } from './asset-files.ts';
import type { ProgramName } from './programs-sql.ts';

export type ProgramAsset = ProgramName & {
  readonly assetId: Id<'asset'>;
  readonly name: string;
  /** Null for a text. */
  readonly contentType: AssetFileType | null;
  readonly text: string | null;
  readonly sizeBytes: number;
  readonly createdAt: Date;
};

export const assetColumns = sql`store_id, asset_id, program_id, name, content_type, text, size_bytes, created_at`;

export const insertAsset = (db: Queryable, asset: ProgramAsset): Promise<ProgramAsset> =>
  db.one(sql`
    insert into program_assets (store_id, asset_id, program_id, name, content_type, text, size_bytes, created_at)
    values (${asset.storeId}, ${asset.assetId}, ${asset.programId}, ${asset.name}, ${asset.contentType}, ${asset.text},
            ${asset.sizeBytes}, ${asset.createdAt})
    returning ${assetColumns}`);

export const chunkBytesMax = 262_144;

type AssetKey = Pick<ProgramAsset, 'storeId' | 'assetId'>;

/** In chunks, so that reading a file needs little memory. */
export async function insertChunks(db: Queryable, { storeId, assetId }: AssetKey, bytes: Buffer): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytesMax) }, (_none, position) =>
    bytes.subarray(position * chunkBytesMax, (position + 1) * chunkBytesMax),
  );
  await insertRows(
    db,
    inserting`
      insert into program_asset_chunks (store_id, asset_id, position, bytes)
      ${[
        uuids(chunks.map(() => storeId)),
        uuids(chunks.map(() => assetId)),
        ints(chunks.map((_chunk, position) => position)),
        byteas(chunks),
      ]}`,
  );
}

/** By primary key; null after the last chunk. */
export const findChunk = (db: Queryable, { storeId, assetId }: AssetKey, position: number): Promise<{ readonly bytes: Buffer } | null> =>
  db.find(sql`
    select bytes from program_asset_chunks where store_id = ${storeId} and asset_id = ${assetId} and position = ${position}`);

/** All of a program, whose number is limited. */
export async function sumAssets(db: Queryable, { storeId, programId }: ProgramName): Promise<{ count: number; bytes: number }> {
  const { count, bytes } = await db.one<{ count: bigint; bytes: bigint }>(sql`
    select count(*) as count, coalesce(sum(size_bytes), 0)::bigint as bytes from program_assets
    where store_id = ${storeId} and program_id = ${programId}`);
  return { count: Number(count), bytes: Number(bytes) };
}

/** Newest first. */
export const listAssets = (db: Queryable, { storeId, programId }: ProgramName, { after, limit }: Page): Promise<ProgramAsset[]> =>
  db.all(sql`
    select ${assetColumns} from program_assets
    where store_id = ${storeId} and program_id = ${programId} ${after === null ? emptySql : sql`and asset_id < ${after[0]}`}
    order by asset_id desc limit ${limit + 1}`);

type OfProgram = ProgramName & AssetKey;

export const findAsset = (db: Queryable, { storeId, programId, assetId }: OfProgram): Promise<ProgramAsset | null> =>
  db.find(sql`
    select ${assetColumns} from program_assets
    where store_id = ${storeId} and program_id = ${programId} and asset_id = ${assetId}`);

/** Its chunks are deleted with it. */
export const deleteAsset = (db: Queryable, { storeId, programId, assetId }: OfProgram): Promise<number> =>
  db.run(sql`delete from program_assets where store_id = ${storeId} and program_id = ${programId} and asset_id = ${assetId}`);

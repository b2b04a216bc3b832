import type { Id } from '../core/ids.ts';
import { joinedStatuses } from '../creators/membership-states.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, type Sql } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import type { Page } from '../http/page.ts';
import { assetColumns, type ProgramAsset } from '../merchants/program-assets-sql.ts';

type InStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** The creator is a member of the asset's program; by the unique key of creator and program. */
const isMember = ({ storeId, creatorId }: InStore): Sql => sql`exists (
  select from members m
  where m.store_id = ${storeId} and m.program_id = program_assets.program_id and m.creator_id = ${creatorId}
    and ${inStates(joinedStatuses, sql`m.status`)})`;

/** Newest first, by primary key. A store has few assets. */
export const listReceivedAssets = (
  db: Queryable,
  { programId, ...of }: InStore & { readonly programId: Id<'prog'> | null },
  { after, limit }: Page,
): Promise<ProgramAsset[]> =>
  db.all(sql`
    select ${assetColumns} from program_assets
    where store_id = ${of.storeId} and ${isMember(of)} ${programId === null ? emptySql : sql`and program_id = ${programId}`}
      ${after === null ? emptySql : sql`and asset_id < ${after[0]}`}
    order by asset_id desc limit ${limit + 1}`);

export const findReceivedAsset = (
  db: Queryable,
  { assetId, ...of }: InStore & { readonly assetId: Id<'asset'> },
): Promise<ProgramAsset | null> =>
  db.find(sql`select ${assetColumns} from program_assets where store_id = ${of.storeId} and asset_id = ${assetId} and ${isMember(of)}`);

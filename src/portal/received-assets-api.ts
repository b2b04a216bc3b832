import { Type as T } from 'typebox';
import { publicId, readPublicId } from '../core/ids.ts';
import { namedObject, idField } from '../http/fields.ts';
import { pageFields } from '../http/page.ts';
import { notFound } from '../http/responses.ts';
import { assetFields, sendAssetFile, showAsset } from '../merchants/program-assets.ts';
import { programsByName } from '../merchants/programs-sql.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { compareDescending, paginateStores, requestedStores } from './paginate-stores.ts';
import { findReceivedAsset, listReceivedAssets } from './received-assets-sql.ts';

const access = { allow: 'creator', permission: 'creator:read' } as const;

const receivedAssetJson = namedObject('ReceivedAsset', {
  ...assetFields,
  program_id: T.String(),
  program_name: T.String(),
  store_id: T.String(),
  store_name: T.String(),
});

export const listReceivedAssetsEndpoint = listEndpoint({
  summary: "List the assets of a creator's programs, newest first",
  access,
  query: T.Object({ ...pageFields, program_id: T.Optional(idField()) }, { additionalProperties: false }),
  item: receivedAssetJson,
  async rows({ db, ids: { creator: creatorId }, query: { program_id: program } }, page) {
    const programId = program === undefined ? null : readPublicId('prog', program);
    if (program !== undefined && programId === null) return [];
    return paginateStores(await requestedStores(db, creatorId, undefined), {
      read: (storeId) => listReceivedAssets(db, { storeId, creatorId, programId }, page),
      order: (one, other) => compareDescending(one.assetId, other.assetId),
      limit: page.limit,
    });
  },
  async renderer({ db }, found) {
    const stores = await storesById(
      db,
      found.map(({ storeId }) => storeId),
    );
    const programs = await programsByName(
      db,
      found.map(({ row }) => row),
    );
    return ({ storeId, row }) => ({
      ...showAsset(row),
      program_id: publicId('prog', row.programId),
      program_name: programs.get(row.programId)?.name ?? '',
      store_id: publicId('store', storeId),
      store_name: stores.get(storeId)?.name ?? '',
    });
  },
  key: ({ row }) => [row.assetId],
});

export const getReceivedAssetFileEndpoint = endpoint({
  summary: "Download the file of an asset of one of the creator's programs",
  access,
  ids: { asset: 'asset' },
  files: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  async handle({ platform, db, ids: { creator: creatorId, asset: assetId } }) {
    for (const storeId of await requestedStores(db, creatorId, undefined)) {
      const asset = await findReceivedAsset(db, { storeId, creatorId, assetId });
      if (asset !== null) return sendAssetFile(platform.database, asset);
    }
    return notFound;
  },
});

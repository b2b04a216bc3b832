import { Readable } from 'node:stream';
import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { newId, publicId } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { isoTime, lineField, namedObject, orNull, textField } from '../http/fields.ts';
import { notFound, refuse, sent, type Refusal, type Sent } from '../http/responses.ts';
import { endpoint } from '../people/endpoint.ts';
import { strictObject } from '../people/fields.ts';
import { listEndpoint } from '../people/list-endpoint.ts';
import { assetFileTypes, detectFileType, fileNameFor, type AssetFileType } from './asset-files.ts';
import {
  deleteAsset,
  findAsset,
  findChunk,
  insertAsset,
  insertChunks,
  listAssets,
  sumAssets,
  type ProgramAsset,
} from './program-assets-sql.ts';
import { findProgram, lockProgram, type ProgramName } from './programs-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const fileBytesMax = 5_242_880;
const assetsPerProgramMax = 50;
const programBytesMax = 52_428_800;
const nameLengthMax = 200;
const textLengthMax = 5_000;

const ids = { program: 'prog' } as const;
const assetIds = { program: 'prog', asset: 'asset' } as const;
const canRead = { allow: 'store', permission: 'store:read' } as const;
const canWrite = { allow: 'store', permission: 'programs:write' } as const;

export const assetFields = {
  id: T.String(),
  type: T.Enum(['image', 'pdf', 'text']),
  name: T.String(),
  content_type: orNull(T.String({ description: 'Null for a text' })),
  text: orNull(T.String({ description: 'Null for a file' })),
  size_bytes: T.Integer(),
  created_at: T.String(),
};
const assetJson = namedObject('ProgramAsset', assetFields);

export const showAsset = ({ assetId, name, contentType, text, sizeBytes, createdAt }: ProgramAsset): Static<typeof assetJson> => ({
  id: publicId('asset', assetId),
  type: contentType === null ? 'text' : isImage(contentType) ? 'image' : 'pdf',
  name,
  content_type: contentType,
  text,
  size_bytes: sizeBytes,
  created_at: isoTime(createdAt),
});

const isImage = (type: AssetFileType): boolean => type.startsWith('image/');

export const listAssetsEndpoint = listEndpoint({
  summary: "List a program's assets for its members, newest first",
  access: canRead,
  ids,
  item: assetJson,
  exists: async ({ db, ids: { store: storeId, program: programId } }) => (await findProgram(db, { storeId, programId })) !== null,
  rows: ({ db, ids: { store: storeId, program: programId } }, page) => listAssets(db, { storeId, programId }, page),
  renderer: () => showAsset,
  key: ({ assetId }) => [assetId],
});

export const addTextEndpoint = endpoint({
  summary: 'Add a text for the members of a program, such as a caption',
  access: canWrite,
  ids,
  body: strictObject({ name: lineField(nameLengthMax), text: textField(textLengthMax) }),
  reply: assetJson,
  status: 201,
  audit: 'program_asset.add_text',
  async handle({ db, ids: { store: storeId, program: programId }, body: { name, text } }) {
    const sizeBytes = Buffer.byteLength(text);
    const refusal = await lockForAsset(db, { storeId, programId }, sizeBytes);
    if (refusal !== null) return refusal;
    const createdAt = realNow();
    const asset = { storeId, programId, assetId: newId<'asset'>(createdAt), name, contentType: null, text, sizeBytes, createdAt };
    return showAsset(await insertAsset(db, asset));
  },
});

export const uploadAssetEndpoint = endpoint({
  summary: 'Upload a file for the members of a program: PNG, JPEG, WebP, GIF, or PDF',
  access: canWrite,
  ids,
  query: strictObject({
    name: T.String({ ...lineField(nameLengthMax), description: 'The name of the file; the extension is that of its content' }),
  }),
  uploadBytesMax: fileBytesMax,
  reply: assetJson,
  status: 201,
  audit: 'program_asset.upload',
  async handle({ db, ids: { store: storeId, program: programId }, query, request: { file } }) {
    const contentType = detectFileType(file);
    if (contentType === null) return refuse('unprocessable', apiMessage('program_assets.file_must_be_png_jpeg'));
    const refusal = await lockForAsset(db, { storeId, programId }, file.length);
    if (refusal !== null) return refusal;
    const createdAt = realNow();
    const asset = {
      storeId,
      programId,
      assetId: newId<'asset'>(createdAt),
      name: fileNameFor(query.name, contentType),
      contentType,
      text: null,
      sizeBytes: file.length,
      createdAt,
    };
    const inserted = await insertAsset(db, asset);
    await insertChunks(db, asset, file);
    return showAsset(inserted);
  },
});

/** The lock serializes additions, so that together they do not exceed the limits. */
async function lockForAsset(db: Queryable, program: ProgramName, sizeBytes: number): Promise<Refusal | null> {
  if ((await lockProgram(db, program)) === null) return notFound;
  const { count, bytes } = await sumAssets(db, program);
  if (count >= assetsPerProgramMax)
    return refuse('limit_reached', apiMessage('program_assets.program_can_have_at_most', { assetsPerProgramMax }));
  if (bytes + sizeBytes <= programBytesMax) return null;
  const mebibytes = programBytesMax / 1_048_576;
  return refuse('limit_reached', apiMessage('program_assets.assets_of_program_can_have', { mebibytes }));
}

export const getAssetFileEndpoint = endpoint({
  summary: 'Download the file of an asset',
  access: canRead,
  ids: assetIds,
  files: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  async handle({ platform, db, ids: { store: storeId, program: programId, asset: assetId } }) {
    const asset = await findAsset(db, { storeId, programId, assetId });
    return asset === null ? notFound : sendAssetFile(platform.database, asset);
  },
});

export const deleteAssetEndpoint = endpoint({
  summary: 'Delete an asset of a program',
  access: canWrite,
  ids: assetIds,
  status: 204,
  audit: 'program_asset.delete',
  handle: async ({ db, ids: { store: storeId, program: programId, asset: assetId } }) =>
    (await deleteAsset(db, { storeId, programId, assetId })) === 0 ? notFound : undefined,
});

/** Nothing in the file can run: a browser that opens it gets an opaque origin and may load nothing. */
const filePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** Pages show images; a PDF is only saved, because viewers can run its scripts. A text has no file. */
export function sendAssetFile(db: Queryable, asset: ProgramAsset): Sent | Refusal {
  if (asset.contentType === null) return notFound;
  const disposition = isImage(asset.contentType) ? 'inline' : 'attachment';
  const plainName = `asset.${assetFileTypes[asset.contentType]}`;
  const headers = {
    'content-type': asset.contentType,
    'content-length': String(asset.sizeBytes),
    'content-disposition': `${disposition}; filename="${plainName}"; filename*=UTF-8''${encodeFileName(asset.name)}`,
    'content-security-policy': filePolicy,
  };
  return sent(headers, Readable.from(chunksOf(db, asset)));
}

/** RFC 8187 allows fewer characters than encodeURIComponent leaves as they are. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

async function* chunksOf(db: Queryable, asset: ProgramAsset): AsyncGenerator<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await findChunk(db, asset, position);
    if (chunk === null) return;
    yield chunk.bytes;
  }
}

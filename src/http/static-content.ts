import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, matchesEtag, type Encoding } from './content-negotiation.ts';

/** Bytes that are the same for every request. */
export type StaticContent = {
  readonly bytes: Buffer;
  readonly type: string;
  /** Compresses at the first request, on another thread, and keeps the result, so that the start does not wait. */
  readonly encoded: (encoding: Encoding) => Promise<EncodedContent>;
};

type EncodedContent = { readonly bytes: Buffer; readonly etag: string };

/** Of 11 levels. It compresses nearly as well as the highest in a tenth of the time. */
const usualBrotliLevel = 9;

export function staticContent(bytes: Buffer, type: string, brotliLevel = usualBrotliLevel): StaticContent {
  const kept = new Map<Encoding, Promise<EncodedContent>>();
  const encoded = (encoding: Encoding): Promise<EncodedContent> => {
    const known = kept.get(encoding);
    if (known !== undefined) return known;
    // A strong ETag identifies the exact bytes, so each encoding has its own.
    const made = compress(bytes, encoding, brotliLevel).then((packed) => ({ bytes: packed, etag: etagOf(packed) }));
    kept.set(encoding, made);
    return made;
  };
  return { bytes, type, encoded };
}

async function compress(bytes: Buffer, encoding: Encoding, brotliLevel: number): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } });
    case 'gzip':
      return promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
    case 'identity':
      return bytes;
  }
}

/** A strong ETag. */
export const etagOf = (bytes: string | Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Sends the content in the encoding that the client prefers, or 304 if the client has it. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: StaticContent,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const { bytes, etag } = await content.encoded(encoding);
  reply.headers({ ...headers, etag, vary: 'Accept-Encoding' });
  if (matchesEtag(etag, request.headers['if-none-match'])) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(content.type).send(bytes);
}

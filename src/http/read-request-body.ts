import { errorCodes, type FastifyRequest } from 'fastify';
import { MalformedBody, readBody } from './body.ts';
import type { MayHold } from './body-memory.ts';

/** The large bodies in memory have reached their limit. */
export class TooManyBodies extends Error {}

/**
 * For content type parsers, instead of `parseAs`: Fastify's own reader keeps a buffer for each received chunk, so that a body in chunks of
 * one byte takes two hundred times its size. Throws the same errors.
 */
export async function readRequestBody({ raw }: FastifyRequest, bytesMax: number, mayHold?: MayHold): Promise<Buffer> {
  const body = await readBody(raw, bytesMax, mayHold);
  switch (body.is) {
    case 'whole':
      return body.bytes;
    case 'too large':
      throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    case 'too many':
      throw new TooManyBodies('too many large bodies are in memory');
    case 'malformed':
      throw new MalformedBody('the body is not framed as HTTP');
    case 'cut':
      throw new Error('the sender disconnected');
  }
}

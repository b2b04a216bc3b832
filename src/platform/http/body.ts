import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What becomes of a body that is read under a limit. */
export type Body =
  | { readonly is: 'whole'; readonly bytes: Buffer }
  | { readonly is: 'too large' }
  /** Its chunks or its length are not HTTP. */
  | { readonly is: 'malformed' }
  /** The sender went away or was too slow: nobody waits for an answer any more. */
  | { readonly is: 'cut' };

/** A length that is announced is believed without reading a byte; one that is not is counted. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Body> {
  if (announcedBytes(request) > bytesMax) return Promise.resolve({ is: 'too large' });
  if (request.destroyed) return Promise.resolve({ is: 'cut' });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) end({ is: 'too large' });
    };
    const onEnd = (): void =>
      end({ is: 'whole', bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length) });
    const onError = (error: Error): void => end({ is: error instanceof MalformedBody ? 'malformed' : 'cut' });
    const onClose = (): void => end({ is: 'cut' });
    const end = (body: Body): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      resolve(body);
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** `application/json` and `application/*+json`, whatever parameters follow: the bytes themselves must be UTF-8. */
export function isJsonType(contentType: string): boolean {
  const [mediaType = ''] = contentType.split(';', 1);
  return /^application\/(?:[\w!#$&^.-]+\+)*json$/.test(mediaType.trim().toLowerCase());
}

/** Compressed: 16 kB could then be 16 MB. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'] ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

/** Told to whoever reads the body, by raw-server.ts, which hears of it from the parser. */
export class MalformedBody extends Error {}

const malformed = new WeakSet<IncomingMessage>();
export const markMalformed = (request: IncomingMessage): void => void malformed.add(request);

const uninvited = new WeakSet<IncomingMessage>();

/** `Expect: 100-continue` waits here: the body is asked for only by whoever reads it, so a refusal on headers costs the sender nothing. */
export const holdBack = (request: IncomingMessage): void => void uninvited.add(request);

export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  if (uninvited.delete(request)) response.writeContinue();
}

export const hasBody = (request: IncomingMessage): boolean => isChunked(request) || announcedBytes(request) > 0;

const isChunked = (request: IncomingMessage): boolean => request.headers['transfer-encoding'] !== undefined;
const announcedBytes = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0);

/**
 * Whether the connection ends with an answer that is given before the body was read. A small rest is read and dropped by
 * Node, so that a refusal in a storm costs no new connection; a large or endless one is not waited for.
 */
export function mustPart(request: IncomingMessage, status: number, unreadBytesMax: number): boolean {
  if (malformed.has(request)) return true;
  if (request.complete || !hasBody(request)) return false;
  return status === 413 || isChunked(request) || announcedBytes(request) > unreadBytesMax || uninvited.has(request);
}

/**
 * Ends our side after the answer and leaves the other open for a moment. What the sender still sends is dropped. A socket
 * closed with bytes unread is reset, and the reset overtakes the answer.
 */
export function linger(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => endSoftly(socket, lingerMs);
}

const lingering = new WeakSet<Socket>();
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

export function endSoftly(socket: Socket, lingerMs: number): void {
  lingering.add(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

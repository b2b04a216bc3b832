import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MayHold } from './body-memory.ts';

/** The result of reading a body with a size limit. */
export type Body =
  | { readonly is: 'whole'; readonly bytes: Buffer }
  | { readonly is: 'too large' }
  /** The chunks or the length violate HTTP. */
  | { readonly is: 'malformed' }
  /** The sender disconnected or was too slow, so no response can be sent. */
  | { readonly is: 'cut' };

/** `mayHold` allowed no more bytes. */
type TooMany = { readonly is: 'too many' };

const noBytes = Buffer.alloc(0);

/**
 * A declared length that is too large is rejected without reading the body; otherwise the bytes are counted. They are collected in one
 * buffer that grows, because the object of a buffer for each chunk would take a hundred times the memory of a small chunk.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Body>;
export function readBody(request: IncomingMessage, bytesMax: number, mayHold: MayHold | undefined): Promise<Body | TooMany>;
export function readBody(request: IncomingMessage, bytesMax: number, mayHold: MayHold = () => true): Promise<Body | TooMany> {
  const declared = declaredBytes(request);
  if (declared > bytesMax) return Promise.resolve({ is: 'too large' });
  if (request.destroyed) return Promise.resolve({ is: 'cut' });
  return new Promise((resolve) => {
    let collected: Buffer = noBytes;
    let length = 0;
    const onData = (chunk: Buffer): void => {
      const needed = length + chunk.length;
      if (needed > bytesMax) return end({ is: 'too large' });
      if (needed > collected.length) {
        const size = length === 0 ? needed : Math.max(needed, Math.min(2 * collected.length, declared > 0 ? declared : bytesMax));
        if (!mayHold(size)) return end({ is: 'too many' });
        collected = length === 0 ? chunk : enlarged(collected, size);
      }
      // The first chunk, which usually is the whole body, is not copied.
      if (collected !== chunk) chunk.copy(collected, length);
      length = needed;
    };
    const onEnd = (): void => end({ is: 'whole', bytes: length === collected.length ? collected : collected.subarray(0, length) });
    const onError = (error: Error): void => end({ is: error instanceof MalformedBody ? 'malformed' : 'cut' });
    const onClose = (): void => end({ is: 'cut' });
    const end = (body: Body | TooMany): void => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      resolve(body);
    };
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

function enlarged(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger);
  return larger;
}

/** Accepts `application/json` and `application/*+json` with any parameters; the bytes must be UTF-8 anyway. */
export function isJsonType(contentType: string): boolean {
  const [mediaType = ''] = contentType.split(';', 1);
  return /^application\/(?:[\w!#$&^.-]+\+)*json$/.test(mediaType.trim().toLowerCase());
}

/** A form of another site cannot send this type, so browsers ask before they send it across origins. */
export const isFileType = (contentType: string): boolean => contentType.trim().toLowerCase() === 'application/octet-stream';

/** Compressed bodies are rejected, because 16 kB could expand to 16 MB. */
export function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding'] ?? '';
  return encoding !== '' && encoding.toLowerCase() !== 'identity';
}

/** raw-server.ts emits this error to the reader of the body when the HTTP parser fails. */
export class MalformedBody extends Error {}

const malformed = new WeakSet<IncomingMessage>();
export const markMalformed = (request: IncomingMessage): void => void malformed.add(request);

const awaitingContinue = new WeakSet<IncomingMessage>();

/** `Expect: 100-continue` is answered only when the body is read, so that a request rejected by its headers sends no body. */
export const delayContinue = (request: IncomingMessage): void => void awaitingContinue.add(request);

export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (awaitingContinue.delete(request)) response.writeContinue();
}

export const hasBody = (request: IncomingMessage): boolean => isChunked(request) || declaredBytes(request) > 0;

const isChunked = (request: IncomingMessage): boolean => request.headers['transfer-encoding'] !== undefined;
const declaredBytes = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0);

/**
 * Whether a response that is sent before the body was read must close the connection. Node reads and drops a small rest, so that
 * rejected requests under load need no new connection. A large or endless rest is not awaited.
 */
export function mustCloseConnection(request: IncomingMessage, status: number, unreadBytesMax: number): boolean {
  if (malformed.has(request)) return true;
  if (request.complete || !hasBody(request)) return false;
  return status === 413 || isChunked(request) || declaredBytes(request) > unreadBytesMax || awaitingContinue.has(request);
}

/**
 * Ends our side after the response and keeps the other side open for a moment, dropping what the sender still sends. Closing a socket
 * with unread bytes would reset it, and the sender might not receive the response.
 */
export function lingerOnClose(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => closeWithLinger(socket, lingerMs);
}

const lingering = new WeakSet<Socket>();
export const isLingering = (socket: Socket): boolean => lingering.has(socket);

export function closeWithLinger(socket: Socket, lingerMs: number): void {
  lingering.add(socket);
  socket.end();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

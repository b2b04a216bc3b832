import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A response as raw bytes on the wire. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; null if it is not JSON. */
  readonly json: Readonly<Record<string, unknown>> | null;
};

export type Talk = {
  readonly write: (bytes: string | Buffer) => void;
  /** Closes our side only, as a client does that has nothing more to send. */
  readonly finish: () => void;
  /** The next response, or null if the connection ended without one. */
  readonly answer: () => Promise<RawAnswer | null>;
  /** Whether the server has closed its side. */
  readonly isClosed: () => Promise<boolean>;
  readonly received: () => string;
  /** Leaves incoming data unread, as a client does that is still sending; the returned function resumes reading. */
  readonly holdReading: () => () => void;
  readonly close: () => void;
};

const waitMsMax = 30_000;
const lookEveryMs = 5;

/** Raw bytes on a socket: no client library changes the request or hides parts of the response. */
export async function talk(port: number): Promise<Talk> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let hasEnded = false;
  socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
  socket
    .on('error', () => (hasEnded = true))
    .on('end', () => (hasEnded = true))
    .on('close', () => (hasEnded = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  const until = async (isSo: () => boolean): Promise<boolean> => {
    const deadline = Date.now() + waitMsMax;
    while (!isSo() && Date.now() < deadline) await wait(lookEveryMs);
    return isSo();
  };
  return {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    finish: () => void socket.end(),
    async answer() {
      await until(() => answerIn(received) !== null || hasEnded);
      const found = answerIn(received);
      if (found === null) return null;
      received = received.subarray(found.length);
      return found.answer;
    },
    isClosed: () => until(() => hasEnded),
    received: () => received.toString('latin1'),
    holdReading: () => {
      socket.pause();
      return () => void socket.resume();
    },
    close: () => void socket.destroy(),
  };
}

/** One request, one answer. */
export async function ask(port: number, bytes: string | Buffer): Promise<RawAnswer | null> {
  const talking = await talk(port);
  talking.write(bytes);
  const answer = await talking.answer();
  talking.close();
  return answer;
}

/** The text of a request: omitted headers are not sent. */
export function requestText(method: string, path: string, { headers = {}, body = '' }: Sent = {}): Buffer {
  const sent = { Host: 'localhost', ...headers };
  const lines = Object.entries(sent).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return Buffer.concat([Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1'), Buffer.from(body)]);
}
type Sent = { readonly headers?: Readonly<Record<string, string | null>>; readonly body?: string | Buffer };

export const chunked = (...chunks: readonly string[]): string =>
  [...chunks, ''].map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');

function answerIn(bytes: Buffer): { readonly answer: RawAnswer; readonly length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [line = '', ...headerLines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
  );
  const status = Number(line.split(' ')[1]);
  const bodyStart = headEnd + 4;
  const end = bodyStart + Number(headers['content-length'] ?? 0);
  if (bytes.length < end) return null;
  const text = bytes.toString('utf8', bodyStart, end);
  return { answer: { status, headers, text, json: parsed(text) }, length: end };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

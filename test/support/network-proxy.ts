import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { invariant } from '../../src/core/invariant.ts';
import { failWritesWhenFull } from './full-disk.ts';

/**
 * A proxy between a service and the real database that injects failures on command. It listens on a separate port; the real database may
 * listen on a port or on a unix socket.
 */
export type DatabaseProxy = {
  /** The URL for the service in place of the real one. */
  readonly url: string;
  /** Ends all failures. */
  readonly pass: () => Promise<void>;
  /** Connections stay open and new ones are accepted, but nothing passes: a server that hangs. Data arrives later. */
  readonly freeze: () => Promise<void>;
  /** All connections break, and so does each new one, just after it was opened: a server that restarts. */
  readonly cut: () => Promise<void>;
  /** Delays each chunk, in both directions. */
  readonly slow: (ms: number) => Promise<void>;
  /** Splits the end of a copy's rows from the completion message, which the proxy sends a moment later. */
  readonly halt: () => Promise<void>;
  /** Reads succeed, and each write fails as on a full disk: SQLSTATE 53100, reported by the real server. */
  readonly fill: () => Promise<void>;
  /** A connection breaks at its `commit`: before the server received it, or just before its response. */
  readonly cutAtCommit: (when: 'before' | 'after') => Promise<void>;
  /** Nothing listens any more: a server that is down. */
  readonly refuse: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Mode =
  | { readonly is: 'passing' | 'frozen' | 'cut' | 'halting' | 'full' | 'refusing' }
  | { readonly is: 'slow'; readonly ms: number }
  | { readonly is: 'cut at commit'; readonly when: 'before' | 'after' };

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = targetOf(databaseUrl);
  const sockets = new Set<Socket>();
  let mode: Mode = { is: 'passing' };
  let thaw = Promise.withResolvers<void>();

  const gate = async (): Promise<void> => {
    if (mode.is === 'slow') await pause(mode.ms);
    while (mode.is === 'frozen') await thaw.promise;
  };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // Broken connections are intended; their readers receive the error.
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (mode.is === 'cut') return void client.destroy();
    void serve(client);
  });
  async function serve(client: Socket): Promise<void> {
    await gate();
    const upstream = keep(connect(target));
    const fill = failWritesWhenFull(() => mode.is === 'full');
    let isCommitting = false;
    const parts = (piece: Buffer) => (mode.is === 'halting' ? behindCopies(piece) : [piece]);
    const change = (piece: Buffer): Buffer | null => {
      isCommitting = mode.is === 'cut at commit' && piece.includes(commit);
      return isCommitting && mode.is === 'cut at commit' && mode.when === 'before' ? null : fill(piece);
    };
    void carry(client, upstream, { gate, parts, change });
    void carry(upstream, client, { gate, parts, change: (piece) => (isCommitting ? null : piece) });
  }
  async function become(next: Mode): Promise<void> {
    mode = next;
    thaw.resolve();
    thaw = Promise.withResolvers<void>();
    if (next.is === 'cut' || next.is === 'refusing') for (const socket of sockets) socket.destroy();
    if (next.is === 'refusing') await stopListening(server);
    else if (!server.listening) await listen(server, port);
  }
  const port = await listen(server, 0);
  return {
    url: urlThrough(databaseUrl, port),
    pass: () => become({ is: 'passing' }),
    freeze: () => become({ is: 'frozen' }),
    cut: () => become({ is: 'cut' }),
    halt: () => become({ is: 'halting' }),
    slow: (ms) => become({ is: 'slow', ms }),
    fill: () => become({ is: 'full' }),
    cutAtCommit: (when) => become({ is: 'cut at commit', when }),
    refuse: () => become({ is: 'refusing' }),
    close: () => become({ is: 'refusing' }),
  };
}

/** Null if the connection breaks at this chunk. */
type Change = (piece: Buffer) => Buffer | null;
/** The text and the final zero byte of a message: text that people write contains no zero byte. */
const commit = Buffer.from('commit\u0000');

type Way = { readonly gate: () => Promise<void>; readonly change: Change; readonly parts: (piece: Buffer) => readonly Buffer[] };
const haltMs = 30;
const copyDone = Buffer.from('c\0\0\0\u0004');

/** Splits after each end of a copy. */
function behindCopies(piece: Buffer): readonly Buffer[] {
  const at = piece.indexOf(copyDone);
  const end = at + copyDone.length;
  return at === -1 || end === piece.length ? [piece] : [piece.subarray(0, end), ...behindCopies(piece.subarray(end))];
}

/** One direction of one connection. Each chunk waits at the gate, and later ones wait behind it. */
async function carry(from: Socket, to: Socket, { gate, change, parts }: Way): Promise<void> {
  try {
    for await (const piece of from) {
      await gate();
      const changed = change(piece);
      if (changed === null) return void to.destroy();
      await send(to, parts(changed));
    }
    to.end();
  } catch {
    to.destroy();
  }
}

async function send(to: Socket, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) {
    if (!to.write(part)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    if (parts.length > 1) await pause(haltMs);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the proxy listens on a port');
  return address.port;
}

async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
}

/** `postgres://user:password@host:port/name`, or with the folder of a unix socket as `?host=/folder&port=5432`. */
function targetOf(databaseUrl: string): NetConnectOpts {
  const { url, host, port } = partsOf(databaseUrl);
  if (host.startsWith('/')) return { path: `${host}/.s.PGSQL.${port}` };
  return { host: host === '' ? url.hostname : host, port };
}

function urlThrough(databaseUrl: string, port: number): string {
  const { url } = partsOf(databaseUrl);
  const credentials = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;
  return `postgres://${credentials}127.0.0.1:${port}${url.pathname}`;
}

function partsOf(databaseUrl: string): { readonly url: URL; readonly host: string; readonly port: number } {
  // A socket's URL has no host, which URL does not parse.
  const url = new URL(databaseUrl.replace(/^postgres(?:ql)?:\/\/([^/@]*@)?\//, 'postgres://$1socket/'));
  return { url, host: url.searchParams.get('host') ?? '', port: Number(url.searchParams.get('port') ?? (url.port || 5432)) };
}

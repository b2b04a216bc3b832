import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { must } from '../../src/platform/must.ts';
import { withoutRoom } from './full-disk.ts';

/**
 * A database that has its troubles, between a service and the real one: what happens on the way is decided by the test.
 * It listens on a port of its own; the real one may listen on a port or on a unix socket.
 */
export type FaultProxy = {
  /** What the service is given instead of the real URL. */
  readonly url: string;
  /** All is well again. */
  readonly pass: () => Promise<void>;
  /** Connections stay and new ones are accepted, but nothing comes through: a server that hangs. What was sent arrives later. */
  readonly freeze: () => Promise<void>;
  /** All connections break, and so does each new one, just after it was made: a server that restarts. */
  readonly cut: () => Promise<void>;
  /** Each piece takes so much longer, in both directions. */
  readonly slow: (ms: number) => Promise<void>;
  /** The end of a copy's rows comes, and what the server says of them a moment later, in a piece of its own. */
  readonly halt: () => Promise<void>;
  /** Reads go on, and each row that is to be written ends as on a disk without room: SQLSTATE 53100, said by the real server. */
  readonly fill: () => Promise<void>;
  /** A connection breaks when it says `commit`: before the server heard it, or when it is about to answer. */
  readonly cutAtCommit: (when: 'before' | 'after') => Promise<void>;
  /** Nobody listens any more: a server that is gone. */
  readonly refuse: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Mode =
  | { readonly is: 'passing' | 'frozen' | 'cut' | 'halting' | 'full' | 'refusing' }
  | { readonly is: 'slow'; readonly ms: number }
  | { readonly is: 'cut at commit'; readonly when: 'before' | 'after' };

export async function startFaultProxy(databaseUrl: string): Promise<FaultProxy> {
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
    // Broken connections are what this is for; who reads from them hears of it.
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
    const fill = withoutRoom(() => mode.is === 'full');
    let isCommitting = false;
    const parts = (piece: Buffer) => (mode.is === 'halting' ? behindCopies(piece) : [piece]);
    const asked = (piece: Buffer): Buffer | null => {
      isCommitting = mode.is === 'cut at commit' && piece.includes(commit);
      return isCommitting && mode.is === 'cut at commit' && mode.when === 'before' ? null : fill(piece);
    };
    void carry(client, upstream, { gate, parts, change: asked });
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

/** Null where the connection breaks at this piece. */
type Change = (piece: Buffer) => Buffer | null;
/** Its letters and the byte that ends them: in what is written by people there is no such byte. */
const commit = Buffer.from('commit\u0000');

type Way = { readonly gate: () => Promise<void>; readonly change: Change; readonly parts: (piece: Buffer) => readonly Buffer[] };
const haltMs = 30;
const copyDone = Buffer.from('c\0\0\0\u0004');

/** Taken apart behind each end of a copy. */
function behindCopies(piece: Buffer): readonly Buffer[] {
  const at = piece.indexOf(copyDone);
  const end = at + copyDone.length;
  return at === -1 || end === piece.length ? [piece] : [piece.subarray(0, end), ...behindCopies(piece.subarray(end))];
}

/** One direction of one connection. Each piece waits at the gate, and those behind it wait with it. */
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
  must(typeof address === 'object' && address !== null, 'the proxy listens on a port');
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
  // A socket's URL has no host, which URL does not read.
  const url = new URL(databaseUrl.replace(/^postgres(?:ql)?:\/\/([^/@]*@)?\//, 'postgres://$1socket/'));
  return { url, host: url.searchParams.get('host') ?? '', port: Number(url.searchParams.get('port') ?? (url.port || 5432)) };
}

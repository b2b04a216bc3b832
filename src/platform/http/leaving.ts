import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * How a process that was told to stop goes without failing a request. A connection that rests may carry its next request
 * just now, and closing it then would cost that request; so it is answered once more, with `Connection: close`.
 */
export type Leaving = {
  readonly hasBegun: () => boolean;
  /** From now on each answer ends its connection, and streams end: whoever followed one comes again, to somebody else. */
  readonly begin: () => void;
  /** Takes no new connection. Those that rest have so long for a last request, those with an answer due have longer. */
  readonly leave: (ms: { readonly resting: number; readonly due: number }) => Promise<void>;
  readonly serves: (server: Server) => void;
  readonly streams: (response: ServerResponse) => void;
};

export function createLeaving(): Leaving {
  const servers: Server[] = [];
  const streams = new Set<ServerResponse>();
  let hasBegun = false;

  const begin = (): void => {
    hasBegun = true;
    for (const response of streams) response.end();
  };
  return {
    hasBegun: () => hasBegun,
    begin,
    async leave({ resting, due }) {
      begin();
      const listening = servers.filter((server) => server.listening);
      const closed = Promise.all(listening.map((server) => once(server, 'close')));
      // Not the HTTP server's own `close`, which would cut the connections that rest.
      for (const server of listening) NetServer.prototype.close.call(server);
      if (await isOver(closed, resting)) return;
      for (const server of listening) server.closeIdleConnections();
      if (await isOver(closed, due)) return;
      for (const server of listening) server.closeAllConnections();
    },
    serves: (server) => void servers.push(server),
    streams(response) {
      if (hasBegun) return void setImmediate(() => response.end());
      streams.add(response);
      response.once('close', () => streams.delete(response));
    },
  };
}

async function isOver(closed: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = pause(ms, false, { signal: waiting.signal }).catch(() => false);
  const over = await Promise.race([closed.then(() => true), late]);
  waiting.abort();
  return over;
}

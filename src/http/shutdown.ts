import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Shuts down without failing a request. An idle connection may carry a request that is already on its way, and closing it would lose that
 * request. So idle connections stay open for one more response, with `Connection: close`.
 */
export type Shutdown = {
  readonly hasBegun: () => boolean;
  /** From now on every response closes its connection, and event streams end, so that their clients reconnect to another process. */
  readonly begin: () => void;
  /** Accepts no new connections. Idle ones may send a last request for `resting` ms; responses that are due have `due` ms more. */
  readonly drain: (ms: { readonly resting: number; readonly due: number }) => Promise<void>;
  readonly addServer: (server: Server) => void;
  readonly addStream: (response: ServerResponse) => void;
};

export function createShutdown(): Shutdown {
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
    async drain({ resting, due }) {
      begin();
      const listening = servers.filter((server) => server.listening);
      const closed = Promise.all(listening.map((server) => once(server, 'close')));
      // Not `close` of the HTTP server, which would cut idle connections.
      for (const server of listening) NetServer.prototype.close.call(server);
      if (await closedWithin(closed, resting)) return;
      for (const server of listening) server.closeIdleConnections();
      if (await closedWithin(closed, due)) return;
      for (const server of listening) server.closeAllConnections();
    },
    addServer: (server) => void servers.push(server),
    addStream(response) {
      if (hasBegun) return void setImmediate(() => response.end());
      streams.add(response);
      response.once('close', () => streams.delete(response));
    },
  };
}

async function closedWithin(closed: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = pause(ms, false, { signal: waiting.signal }).catch(() => false);
  const over = await Promise.race([closed.then(() => true), late]);
  waiting.abort();
  return over;
}

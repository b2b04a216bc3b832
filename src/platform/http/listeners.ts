import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { httpLimits } from './limits.ts';

/**
 * Node takes one new connection a turn of its event loop, and a turn in which a thousand orders are read lasts a tenth of a second: in a
 * storm, whoever knocks waits for minutes behind those who are in. Linux lets several listeners share a port and deals the connections
 * out among them; each is asked once a turn. Processes of a family need none of it: the one above them takes all connections.
 */
const listenersOfStorms = 64;

export type Door = { readonly host: string; readonly port: number; readonly exclusive: boolean };

/** How many listeners a process has at its door. A shared port would be shared with a second Tributary too, so it is looked at first. */
export async function listenersFor(door: Door): Promise<number> {
  if (cluster.isWorker || door.port === 0) return 1;
  const first = createServer().listen(door);
  await once(first, 'listening');
  first.close();
  await once(first, 'close');
  return process.platform === 'linux' ? listenersOfStorms : 1;
}

export const listenOptions = (door: Door, listeners: number) => ({
  ...door,
  backlog: httpLimits.knockingMax,
  reusePort: listeners > 1,
});

/** The kernel does not deal exactly evenly. */
const unevenness = 1.2;
export const connectionsMaxOfEach = (connectionsMax: number, listeners: number): number =>
  listeners === 1 ? connectionsMax : Math.ceil((connectionsMax / listeners) * unevenness);

/** Further listeners where the first one listens. */
export async function listenBeside(first: Server, others: readonly Server[]): Promise<void> {
  const at = first.address();
  if (at === null || typeof at === 'string') return;
  const options = listenOptions({ host: at.address, port: at.port, exclusive: false }, others.length + 1);
  await Promise.all(others.map((server) => once(server.listen(options), 'listening')));
}

/** Takes no new connection, and ends those that rest; who has an answer due gets it. */
export function stopListening(servers: readonly HttpServer[]): void {
  for (const server of servers) if (server.listening) server.close();
}

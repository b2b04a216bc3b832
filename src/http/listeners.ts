import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { httpLimits } from './limits.ts';

/**
 * Node accepts one connection per listener in each turn of its event loop, and a turn that reads a thousand orders takes a tenth of a
 * second. Under load, new connections would wait for minutes. Linux distributes the connections of a port among several listeners, and
 * each accepts one per turn. Worker processes do not need this, because their supervisor accepts all connections.
 */
const listenersPerPort = 64;

export type ListenAddress = { readonly host: string; readonly port: number; readonly exclusive: boolean };

/** Checks first that the port is free: a shared port could also be shared with a second Tributary by mistake. */
export async function chooseListenerCount(address: ListenAddress): Promise<number> {
  if (cluster.isWorker || address.port === 0) return 1;
  const first = createServer().listen(address);
  await once(first, 'listening');
  first.close();
  await once(first, 'close');
  return process.platform === 'linux' ? listenersPerPort : 1;
}

export const listenOptions = (address: ListenAddress, listeners: number) => ({
  ...address,
  backlog: httpLimits.backlogMax,
  reusePort: listeners > 1,
});

/** The kernel does not distribute connections exactly evenly. */
const imbalanceFactor = 1.2;
export const connectionsMaxPerListener = (connectionsMax: number, listeners: number): number =>
  listeners === 1 ? connectionsMax : Math.ceil((connectionsMax / listeners) * imbalanceFactor);

/** Opens further listeners on the port of the first one. */
export async function listenAlongside(first: Server, others: readonly Server[]): Promise<void> {
  const at = first.address();
  if (at === null || typeof at === 'string') return;
  const options = listenOptions({ host: at.address, port: at.port, exclusive: false }, others.length + 1);
  await Promise.all(others.map((server) => once(server.listen(options), 'listening')));
}

/** Accepts no new connections and closes idle ones. Responses that are due are still sent. */
export function stopListening(servers: readonly HttpServer[]): void {
  for (const server of servers) if (server.listening) server.close();
}

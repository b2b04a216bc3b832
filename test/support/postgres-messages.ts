import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

// Builds PostgreSQL server messages, for fake servers in tests.

/** A message: its type, its length, its bytes. */
export function message(type: string, ...parts: readonly (string | number)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : Buffer.from([part]))));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + length.length);
  return Buffer.concat([Buffer.from(type), length, body]);
}

/** Accepts any login and reports that the server is ready. */
const loginAccepted = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 'I'.charCodeAt(0))]);

/** A server that accepts every login, and then does what the test wants; returns its URL. */
export async function startFakeServer(afterLogin: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(loginAccepted);
      afterLogin(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderNews, ReadProviderNews } from '../../src/providers/provider.ts';

export type NewsDoor = {
  readonly url: string;
  /** What came and was genuine, in the order in which it came. */
  readonly came: ProviderNews[];
  /** What came and was not, and where it came to. */
  readonly forged: string[];
  /** What it answers from now on: 200, or a failure of its own. */
  status: number;
  readonly close: () => Promise<void>;
};

/** Where a provider sends its news to, in the smallest form: reads it as the service does, and keeps it. */
export async function openNewsDoor(path: string, read: ReadProviderNews): Promise<NewsDoor> {
  const door = { came: [] as ProviderNews[], forged: [] as string[], status: 200 };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const result = await read(Buffer.concat(chunks), headers, new Date());
    if (request.method !== 'POST' || request.url !== path || result.is !== 'read') door.forged.push(`${request.method} ${request.url}`);
    else if (door.status === 200) door.came.push(result.news);
    response.writeHead(door.status).end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(door, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}

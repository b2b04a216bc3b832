import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderEvent, ReadProviderEvent } from '../../src/payments/provider.ts';

export type WebhookEndpoint = {
  readonly url: string;
  /** The genuine requests, in order of arrival. */
  readonly events: ProviderEvent[];
  /** The requests that were not genuine, and their paths. */
  readonly forged: string[];
  /** Its status from now on: 200, or an error. */
  status: number;
  readonly close: () => Promise<void>;
};

/** A minimal endpoint for the provider's webhook events: parses them as the service does, and stores them. */
export async function startWebhookEndpoint(path: string, read: ReadProviderEvent): Promise<WebhookEndpoint> {
  const endpoint = { events: [] as ProviderEvent[], forged: [] as string[], status: 200 };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const result = await read(Buffer.concat(chunks), headers, new Date());
    if (request.method !== 'POST' || request.url !== path || result.is !== 'read') endpoint.forged.push(`${request.method} ${request.url}`);
    else if (endpoint.status === 200) endpoint.events.push(result.event);
    response.writeHead(endpoint.status).end();
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(endpoint, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}

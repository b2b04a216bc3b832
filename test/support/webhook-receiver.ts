import { createServer, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { invariant } from '../../src/core/invariant.ts';
import type { Merchant } from './merchant.ts';

// Untyped JSON payloads, which only tests read.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export type ReceivedWebhook = {
  readonly path: string;
  readonly id: string;
  readonly body: string;
  readonly json: Json;
  readonly headers: Readonly<Record<string, string>>;
};

/** A merchant's webhook receiver: a real server that verifies signatures with the official library. */
export type Receiver = {
  readonly host: string;
  readonly url: (path: string) => string;
  /** All requests to a path, in order of arrival. */
  readonly received: (path: string) => readonly ReceivedWebhook[];
  readonly answer: (path: string, how: (response: ServerResponse) => void) => void;
  readonly close: () => Promise<void>;
};

export async function startWebhookReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const path = request.url ?? '';
      received.push({ path, id: headers['webhook-id'] ?? '', body, json: JSON.parse(body), headers });
      const answer = answers.get(path);
      if (answer) answer(response);
      else response.writeHead(200).end('thank you');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    received: (path) => received.filter((one) => one.path === path),
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Throws if the signature, its time or the body is invalid. */
export const verified = ({ body, headers }: ReceivedWebhook, secret: string): Json => new Webhook(secret).verify(body, headers);

/** An endpoint of the store on which no server answers. */
export async function createSilentEndpoint({ api, world }: Merchant): Promise<{ readonly id: string; readonly secret: string }> {
  const newEndpoint = { url: 'https://hooks.example/tributary', events: ['commission.recorded', 'invoice.issued'] };
  const { status, json } = await api('POST', `/stores/${world.store.id}/webhook-endpoints`, newEndpoint);
  invariant(status === 201, 'an endpoint can be added');
  return json;
}

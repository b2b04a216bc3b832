import { createServer, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { must } from '../../src/platform/must.ts';
import type { Merchant } from './merchant.ts';

// What came over the wire, which only the tests look at.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export type Taken = {
  readonly path: string;
  readonly id: string;
  readonly body: string;
  readonly json: Json;
  readonly headers: Readonly<Record<string, string>>;
};

/** A merchant's program that is told what happens: a real server, whose signatures are checked by the official library. */
export type Receiver = {
  readonly host: string;
  readonly url: (path: string) => string;
  /** All that came to a path, in the order it came. */
  readonly taken: (path: string) => readonly Taken[];
  readonly answer: (path: string, how: (response: ServerResponse) => void) => void;
  readonly close: () => Promise<void>;
};

export async function webhookReceiver(): Promise<Receiver> {
  const taken: Taken[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const path = request.url ?? '';
      taken.push({ path, id: headers['webhook-id'] ?? '', body, json: JSON.parse(body), headers });
      const answer = answers.get(path);
      if (answer) answer(response);
      else response.writeHead(200).end('thank you');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  must(typeof address === 'object' && address !== null, 'a server listens somewhere');
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    taken: (path) => taken.filter((one) => one.path === path),
    answer: (path, how) => void answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Throws where the signature, its time or the body is not right. */
export const verified = ({ body, headers }: Taken, secret: string): Json => new Webhook(secret).verify(body, headers);

/** An endpoint of the shop, which nobody answers for. */
export async function webhookOf({ api, world }: Merchant): Promise<{ readonly id: string; readonly secret: string }> {
  const asked = { url: 'https://hooks.example/tributary', events: ['commission.recorded', 'invoice.issued'] };
  const { status, json } = await api('POST', `/stores/${world.store.id}/webhook-endpoints`, asked);
  must(status === 201, 'an endpoint can be added');
  return json;
}

import { createServer, type ServerResponse } from 'node:http';
import { invariant } from '../../src/core/invariant.ts';

/** What a server does with one request: an answer, or a failure. */
export type Deed =
  | 'reset'
  | 'reset while answering'
  | 'silence'
  | { readonly status: number; readonly json?: object; readonly text?: string; readonly headers?: Readonly<Record<string, string>> };
export type ReceivedRequest = { readonly path: string; readonly key: string; readonly body: string; readonly atMs: number };

/** A real server that plays a list of behaviors, then repeats the last one, and records what it received. */
export async function answeringServer(...deeds: readonly Deed[]) {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ path: request.url ?? '', key: request.headers.authorization ?? '', body, atMs: performance.now() });
      const deed = deeds[Math.min(requests.length, deeds.length) - 1];
      invariant(deed, 'the server has a behavior to play');
      act(deed, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${address.port}`, received: requests, close };
}

function act(deed: Deed, response: ServerResponse): void {
  if (deed === 'silence') return;
  if (deed === 'reset') return void response.socket?.resetAndDestroy();
  if (deed === 'reset while answering') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    response.write('{"ok":true,"reason":"rec', () => response.socket?.resetAndDestroy());
    return;
  }
  const { status, json, text, headers } = deed;
  response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/html', ...headers });
  response.end(text ?? JSON.stringify(json));
}

export const recorded = {
  status: 200,
  json: { ok: true, reason: 'recorded', transaction_id: 'ord_1', conversion_id: 'com_1', message: 'The postback was recorded.' },
  headers: { 'request-id': 'req-1' },
} as const;
export const away: Deed = { status: 503, json: { ok: false, reason: 'temporarily_unavailable', message: 'Later.' } };
export const refusal = (status: number, reason: string): Deed => ({ status, json: { ok: false, reason, message: 'No.' } });

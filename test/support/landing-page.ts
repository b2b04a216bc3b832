import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { invariant } from '../../src/core/invariant.ts';

/** A store's server with one page, reached like another host of the web. The page can be changed. */
export type LandingPage = {
  readonly url: string;
  /** The setting that lets a service reach this private address. */
  readonly hostAndPort: string;
  readonly show: (handle: (request: IncomingMessage, response: ServerResponse) => void) => void;
  readonly showHtml: (html: string) => void;
  readonly requestedPaths: string[];
  readonly close: () => Promise<void>;
};

export async function openLandingPage(): Promise<LandingPage> {
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  const hostAndPort = `127.0.0.1:${address.port}`;
  return {
    url: `http://${hostAndPort}`,
    hostAndPort,
    requestedPaths,
    show: (fresh) => void (handle = fresh),
    showHtml: (html) => void (handle = (_request, response) => void response.setHeader('content-type', 'text/html').end(html)),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const pageWithTag = (baseUrl: string): string =>
  `<!doctype html><html><head><title>Store</title><script src="${baseUrl}/api/pn/sdk/v1.js" defer></script></head><body>Tea</body></html>`;

import Fastify from 'fastify';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { captureScript, registerCapture } from '../../src/capture/serve.ts';
import { invariant } from '../../src/core/invariant.ts';
import { selfSigned } from '../support/certificate.ts';

/** Pages of a store on its own server; `{script}` in a page is replaced by the address of the script on the service's real server. */
export type StoreSite = {
  readonly origin: string;
  readonly secureOrigin: string;
  /** Every request for a page or for the script, as "GET /path". */
  readonly requests: string[];
  /** Adds a page and returns its path. */
  readonly page: (html: string, options?: PageOptions) => string;
  readonly close: () => Promise<void>;
};

export type PageOptions = { readonly secure?: boolean; readonly headers?: Readonly<Record<string, string>> };

export async function openStoreSite(): Promise<StoreSite> {
  const pages = new Map<string, { readonly html: string; readonly headers: Readonly<Record<string, string>> }>();
  const requests: string[] = [];
  const counted = (listener: RequestListener): RequestListener => {
    return (request, response) => {
      if (request.url !== '/favicon.ico') requests.push(`${request.method} ${request.url}`); // browsers request that automatically
      listener(request, response);
    };
  };

  const service = Fastify();
  registerCapture(service);
  await service.ready();
  const script = counted((request, response) => service.routing(request, response));
  const html = counted((request, response) => {
    const page = pages.get(new URL(request.url ?? '/', 'http://shop').pathname);
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...page?.headers });
    response.end(page?.html);
  });
  const certificate = selfSigned();
  const servers = [
    createServer(script),
    createSecureServer(certificate, script),
    createServer(html),
    createSecureServer(certificate, html),
  ];
  const ports = await Promise.all(servers.map(listen));
  const { path, immutablePath } = captureScript();

  return {
    origin: `http://127.0.0.1:${ports[2]}`,
    secureOrigin: `https://127.0.0.1:${ports[3]}`,
    requests,
    page: (text, { secure = false, headers = {} } = {}) => {
      const origin = secure ? `https://127.0.0.1:${ports[1]}` : `http://127.0.0.1:${ports[0]}`;
      const address = `/page/${pages.size}`;
      pages.set(address, { html: text.replaceAll('{script}', origin + path).replaceAll('{pinned}', origin + immutablePath), headers });
      return address;
    },
    close: async () => {
      for (const server of servers) await new Promise((resolve) => void server.close(resolve).closeAllConnections());
      await service.close();
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'a listening server has a port');
  return address.port;
}

import { createServer } from 'node:http';
import { invariant } from '../../src/core/invariant.ts';
import type { MerchantSettings } from '../../src/core/config.ts';
import { TemporaryError, UsageError, type Command, type Flags } from '../../cli/command.ts';
import type { Merchant } from '../support/merchant.ts';

export type Typed = { readonly code: number | string; readonly lines: readonly string[]; readonly files: ReadonlyMap<string, string> };
type Around = {
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
  readonly allow?: readonly string[];
  readonly settings?: Partial<MerchantSettings>;
};

/** What a merchant's developer types, with the keys of their store. Files are kept here; all that is sent is sent. */
export function commandLineOf({ service, world }: Merchant) {
  const settings: MerchantSettings = {
    TRIBUTARY_URL: service.url,
    TRIBUTARY_TRACKING_KEY: world.store.tracking_key,
    TRIBUTARY_POSTBACK_KEY: world.store.postback_key,
    TRIBUTARY_STORE: world.store.id,
    TRIBUTARY_API_KEY: world.operator_key,
  };
  return async (command: Command, words: readonly string[], around: Around = {}): Promise<Typed> => {
    const files = new Map(Object.entries(around.files ?? {}));
    const lines: string[] = [];
    const read = async (path: string) => {
      const text = files.get(path);
      invariant(text !== undefined, `${path} is there`);
      return text;
    };
    const terminal = {
      say: (line: string) => void lines.push(line),
      read,
      write: async (path: string, text: string) => void files.set(path, text),
      append: async (path: string, text: string) => void files.set(path, (files.get(path) ?? '') + text),
      signal: new AbortController().signal,
    };
    const given = { words, flags: around.flags ?? {}, settings: { ...settings, ...around.settings }, outgoingAllow: around.allow ?? [] };
    const code = await command.run(given, terminal).catch((error: unknown) => {
      if (error instanceof UsageError || error instanceof TemporaryError) return error.message;
      throw error;
    });
    return { code, lines, files };
  };
}

/** A store's website: its pages by path. A text that is a URL is a redirect. */
export async function startStoreSite(pages: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://shop');
    const page = pages[pathname];
    if (page?.startsWith('/')) response.writeHead(302, { location: page.replace('{query}', search) }).end();
    else response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'a server listens somewhere');
  const host = `127.0.0.1:${address.port}`;
  return { host, url: `http://${host}`, close: () => server.close() };
}

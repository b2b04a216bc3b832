import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { docsPage, type DocsPage } from './docs-page.ts';
import { guidePage, guidesOf } from './guide-page.ts';
import { readGuides } from './guides.ts';
import { chooseEncoding, encodings, isNamed, type Encoding } from './negotiate.ts';
import type { OpenApi } from './openapi-document.ts';
import { permissionsPolicy } from './permissions-policy.ts';

/** What the service says of itself, for programs and for people. Made when somebody first asks: a start has no time for it. */
export function registerDocs(app: FastifyInstance, describe: () => OpenApi): void {
  const document = once(describe);
  const json = once(() => packed(`${JSON.stringify(document())}\n`, { 'content-type': 'application/json; charset=utf-8' }));
  const guides = readGuides();
  const page = once(() => packedPage(docsPage(document(), guidesOf(guides))));
  app.get('/openapi.json', (request, reply) => answer(request, reply, json()));
  app.get('/docs', (request, reply) => answer(request, reply, page()));
  for (const guide of guides) {
    const shown = once(() => packedPage(guidePage(guide, guides)));
    app.get(guide.path, (request, reply) => answer(request, reply, shown()));
  }
}

const packedPage = ({ html, contentSecurityPolicy }: DocsPage): Packed =>
  packed(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });

function once<Value>(make: () => Value): () => Value {
  let held: { readonly value: Value } | null = null;
  return () => (held ??= { value: make() }).value;
}

type Headers = Readonly<Record<string, string>>;
type Packed = Readonly<Record<Encoding, { readonly bytes: Buffer; readonly headers: Headers }>>;

/** At the highest quality the page would hold up everybody for a third of a second; at this one for some milliseconds. */
const brotliQuality = 5;

const pack: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};

function packed(text: string, headers: Headers): Packed {
  const entries = encodings.map((encoding) => {
    const bytes = pack[encoding](Buffer.from(text));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const packing: Headers = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    return [encoding, { bytes, headers: { ...headers, ...packing, etag } }];
  });
  return Object.fromEntries(entries) as Packed;
}

/** Asked for again each time, and sent again only when it changed with an upgrade. */
function answer(request: FastifyRequest, reply: FastifyReply, choices: Packed): FastifyReply {
  const { bytes, headers } = choices[chooseEncoding(request.headers['accept-encoding'])];
  reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
  return isNamed(headers['etag'] ?? '', request.headers['if-none-match']) ? reply.status(304).send() : reply.send(bytes);
}

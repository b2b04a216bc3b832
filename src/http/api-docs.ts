import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { docsPage, type DocsPage } from './api-docs-page.ts';
import { guidePage, guidesOf, readGuideImages, readGuides } from './guide-pages.ts';
import { chooseEncoding, encodings, matchesEtag, type Encoding } from './content-negotiation.ts';
import type { OpenApi } from './openapi-document.ts';
import { nameSchemas } from './openapi-named-schemas.ts';
import { permissionsPolicy } from './security-headers.ts';

/** Serves the OpenAPI document, the page of the API, and the guides. Each is rendered at its first request, to keep the start fast. */
export function registerDocs(app: FastifyInstance, describe: () => OpenApi): void {
  const document = memoize(describe);
  const json = memoize(() =>
    compressAll(`${JSON.stringify(nameSchemas(document()))}\n`, { 'content-type': 'application/json; charset=utf-8' }),
  );
  const guides = readGuides();
  const page = memoize(() => compressPage(docsPage(document(), guidesOf(guides))));
  app.get('/openapi.json', (request, reply) => answer(request, reply, json()));
  app.get('/docs', (request, reply) => answer(request, reply, page()));
  for (const guide of guides) {
    const shown = memoize(() => compressPage(guidePage(guide, guides)));
    app.get(guide.path, (request, reply) => answer(request, reply, shown()));
  }
  for (const { path, svg } of readGuideImages()) {
    const image = memoize(() => compressAll(svg, { 'content-type': 'image/svg+xml; charset=utf-8' }));
    app.get(path, (request, reply) => answer(request, reply, image()));
  }
}

const compressPage = ({ html, contentSecurityPolicy }: DocsPage): CompressedVariants =>
  compressAll(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  });

function memoize<Value>(make: () => Value): () => Value {
  let held: { readonly value: Value } | null = null;
  return () => (held ??= { value: make() }).value;
}

type Headers = Readonly<Record<string, string>>;
type CompressedVariants = Readonly<Record<Encoding, { readonly bytes: Buffer; readonly headers: Headers }>>;

/** Compressing at the highest quality would block the process for a third of a second; at this one it takes some milliseconds. */
const brotliQuality = 5;

const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes) => gzipSync(bytes),
  identity: (bytes) => bytes,
};

function compressAll(text: string, headers: Headers): CompressedVariants {
  const entries = encodings.map((encoding) => {
    const bytes = compressors[encoding](Buffer.from(text));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const packing: Headers = encoding === 'identity' ? {} : { 'content-encoding': encoding };
    return [encoding, { bytes, headers: { ...headers, ...packing, etag } }];
  });
  return Object.fromEntries(entries) as CompressedVariants;
}

/** Browsers revalidate each time and receive the content again only when an upgrade changed it. */
function answer(request: FastifyRequest, reply: FastifyReply, choices: CompressedVariants): FastifyReply {
  const { bytes, headers } = choices[chooseEncoding(request.headers['accept-encoding'])];
  reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
  return matchesEtag(headers['etag'] ?? '', request.headers['if-none-match']) ? reply.status(304).send() : reply.send(bytes);
}

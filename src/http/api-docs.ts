import type { FastifyInstance } from 'fastify';
import { docsPage, type DocsPage } from './api-docs-page.ts';
import { guidePage, guidesOf, readGuideImages, readGuides } from './guide-pages.ts';
import type { OpenApi } from './openapi-document.ts';
import { nameSchemas } from './openapi-named-schemas.ts';
import { permissionsPolicy } from './security-headers.ts';
import { sendContent, staticContent } from './static-content.ts';

/** Serves the OpenAPI document, the page of the API, and the guides. Each is rendered at its first request, to keep the start fast. */
export function registerDocs(app: FastifyInstance, describe: () => OpenApi): void {
  const document = memoize(describe);
  const guides = readGuides();
  serve(app, '/openapi.json', () => jsonDocument(nameSchemas(document())));
  serve(app, '/docs', () => pageDocument(docsPage(document(), guidesOf(guides))));
  for (const guide of guides) serve(app, guide.path, () => pageDocument(guidePage(guide, guides)));
  for (const { path, svg } of readGuideImages()) serve(app, path, () => ({ text: svg, type: 'image/svg+xml; charset=utf-8' }));
}

type Document = { readonly text: string; readonly type: string; readonly headers?: Readonly<Record<string, string>> };

/** Browsers revalidate each time and receive the content again only when an upgrade changed it. */
function serve(app: FastifyInstance, path: string, render: () => Document): void {
  const rendered = memoize(() => {
    const { text, type, headers } = render();
    return { content: staticContent(Buffer.from(text), type), headers: { ...headers, 'cache-control': 'no-cache' } };
  });
  app.get(path, (request, reply) => sendContent(request, reply, rendered().content, rendered().headers));
}

const jsonDocument = (value: unknown): Document => ({ text: `${JSON.stringify(value)}\n`, type: 'application/json; charset=utf-8' });

const pageDocument = ({ html, contentSecurityPolicy }: DocsPage): Document => ({
  text: html,
  type: 'text/html; charset=utf-8',
  headers: {
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'permissions-policy': permissionsPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'x-frame-options': 'DENY',
  },
});

function memoize<Value>(make: () => Value): () => Value {
  let held: { readonly value: Value } | null = null;
  return () => (held ??= { value: make() }).value;
}

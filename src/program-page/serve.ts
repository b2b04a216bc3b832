import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLanguage, negotiateLanguage, type Language } from '../../locales/languages.ts';
import { readPublicId } from '../core/ids.ts';
import { matchesEtag } from '../http/content-negotiation.ts';
import { etagOf } from '../http/static-content.ts';
import { permissionsPolicy } from '../http/security-headers.ts';
import { findLogo } from '../merchants/program-page-sql.ts';
import type { RateLimitExcess } from '../people/request-limits.ts';
import { findProgramRecord } from '../portal/program-record.ts';
import type { Platform } from '../runtime/platform.ts';
import { loadPublicProgram, type PublicProgram } from './load-program.ts';
import { pageStyle } from './page-style.ts';
import { cachePreviews } from './cache-previews.ts';
import { isIndexed, renderNotFoundPage, renderProgramPage } from './render-page.ts';
import { apiMessage } from '../messages/api-message.ts';

type LimitRequests = (identity: null, request: FastifyRequest) => Promise<RateLimitExcess | null>;
type ProgramRoute = { readonly Params: { readonly program: string }; readonly Querystring: { readonly lang?: unknown } };

/** A page without a script, so that search engines and link previews read it. Visitors share the request limit of the management API. */
export function registerProgramPages(app: FastifyInstance, platform: Platform, limitRequests: LimitRequests): void {
  const drawPreview = cachePreviews();
  const find = (program: string): Promise<PublicProgram | null> => {
    const programId = readPublicId('prog', program);
    return programId === null ? Promise.resolve(null) : loadPublicProgram(platform.database, programId, platform.clock.now());
  };
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const excess = await limitRequests(null, request);
      if (excess === null) return;
      return reply
        .status(429)
        .header('retry-after', String(excess.waitSeconds))
        .send({
          ok: false,
          reason: 'too_many_requests',
          message: apiMessage('request_pipeline.too_many_requests_try_again', { waitSeconds: excess.waitSeconds }),
          errors: [],
        });
    });
    scope.get<ProgramRoute>('/p/:program', async (request, reply) => {
      const shown = await find(request.params.program);
      const language = languageOf(request);
      if (shown === null) return sendNotFound(reply, language);
      const style = pageStyle(shown.page.accentColor);
      const record = await findProgramRecord(platform.database, shown.program);
      const page = renderProgramPage({ shown, record, language, baseUrl: platform.config.baseUrl, style, now: platform.clock.now() });
      if (!isIndexed(shown)) reply.header('x-robots-tag', 'noindex');
      return sendCached(request, reply.headers(pageHeaders(style)), { body: page, maxAgeSeconds: pageSeconds });
    });
    scope.get<ProgramRoute>('/p/:program/preview.png', async (request, reply) => {
      const shown = await find(request.params.program);
      if (shown === null) return sendNotFound(reply, languageOf(request));
      const image = await drawPreview(shown);
      if (image === null)
        return reply
          .status(503)
          .header('retry-after', '1')
          .send({
            ok: false,
            reason: 'temporarily_unavailable',
            message: apiMessage('program_page_serve.too_many_images_drawn'),
            errors: [],
          });
      return sendCached(request, reply.type('image/png').headers(imageHeaders), { body: image, maxAgeSeconds: previewSeconds });
    });
    scope.get<{ readonly Params: { readonly program: string; readonly hash: string } }>(
      '/p/:program/logo/:hash',
      async (request, reply) => {
        const shown = await find(request.params.program);
        const logo = shown?.logoHash === request.params.hash ? await findLogo(platform.database, shown.program) : null;
        if (logo === null) return sendNotFound(reply, languageOf(request));
        reply.type(logo.type).headers(imageHeaders);
        return sendCached(request, reply, { body: logo.bytes, maxAgeSeconds: imageSeconds });
      },
    );
  });
}

const pageSeconds = 60;
const previewSeconds = 3_600;
const imageSeconds = 86_400;

/** A choice in the URL, otherwise the language of the browser. */
function languageOf({ query, headers }: FastifyRequest<ProgramRoute> | FastifyRequest): Language {
  const chosen = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined;
  return typeof chosen === 'string' && isLanguage(chosen) ? chosen : negotiateLanguage(headers['accept-language'] ?? '');
}

/** The style sheet is permitted by its hash, so that caches may store the page. */
const pageHeaders = (style: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "img-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': permissionsPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  vary: 'Accept-Language',
});

/** A browser that opens the image as a page may run nothing. Other sites may show it. */
const imageHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

type Cached = { readonly body: string | Buffer; readonly maxAgeSeconds: number };

function sendCached(request: FastifyRequest, reply: FastifyReply, { body, maxAgeSeconds }: Cached): FastifyReply {
  const etag = etagOf(body);
  reply.headers({ 'cache-control': `public, max-age=${maxAgeSeconds}`, etag });
  return matchesEtag(etag, request.headers['if-none-match']) ? reply.status(304).send() : reply.send(body);
}

const notFoundStyle = pageStyle('#0d6475');

/** The same for a draft, an archived store, and an ID that does not exist. */
const sendNotFound = (reply: FastifyReply, language: Language): FastifyReply =>
  reply
    .status(404)
    .headers({ ...pageHeaders(notFoundStyle), 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
    .send(renderNotFoundPage(language, notFoundStyle));

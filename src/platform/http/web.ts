import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import { must } from '../must.ts';
import { chooseEncoding, isNamed } from './negotiate.ts';
import { permissionsPolicy } from './permissions-policy.ts';
import { pathOf } from './problem.ts';
import { readWebFiles, type WebFile } from './web-files.ts';

/**
 * The dashboards, from memory: their files, and one page for all addresses inside of them, since the browser draws the
 * rest. What is none of these stays as unknown as it was: no file is looked for on the disk when somebody asks.
 */
export function registerWeb(app: FastifyInstance, folder: string): void {
  const files = readWebFiles(folder);
  const page = files.get('/index.html');
  must(page, 'the dashboards were built');
  const pageParts = page.bytes.toString('utf8').split(noncePlace);
  must(pageParts.length > 1, 'the page has a place for its nonce');

  app.get('/*', (request, reply) => {
    const path = pathOf(request.raw.url ?? '');
    const file = path === '/index.html' ? undefined : files.get(path);
    if (file !== undefined) return sendFile(request, reply, file);
    if (!isForPeople(request, path)) return reply.callNotFound();
    return sendPage(reply, pageParts, isPage(path) ? 200 : 404);
  });
}

const noncePlace = '__nonce__';
const nonceBytes = 16;

/** The first names of all pages; a test holds them against the addresses in web/src/routes.tsx. */
export const pageNames: readonly string[] = [
  '',
  'sign-in',
  'sign-up',
  'link',
  'forgot-password',
  'account',
  'second-factor',
  'stores',
  'new-store',
  'operator',
  'creator',
  'programs',
];

const isPage = (path: string): boolean => pageNames.includes(path.split('/')[1] ?? '');

/** A browser that opens an address wants a page, and a mistyped one gets a page that says so. Programs get their JSON. */
const isForPeople = (request: FastifyRequest, path: string): boolean =>
  (request.headers.accept ?? '').includes('text/html') && !path.startsWith('/api/');

/**
 * The library of the dashboards writes style sheets into the page, so the policy names a nonce that is another one each
 * time; no script may stand in the page at all, and nothing comes from elsewhere.
 */
const policyFor = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function sendPage(reply: FastifyReply, parts: readonly string[], status: 200 | 404): FastifyReply {
  const nonce = randomBytes(nonceBytes).toString('base64');
  reply.status(status).headers({
    ...everyAnswer,
    'cache-control': 'no-cache',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyFor(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    'x-frame-options': 'DENY',
  });
  return reply.send(parts.join(nonce));
}

const everyAnswer = {
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: WebFile): Promise<FastifyReply> {
  const { bytes, etag, encoding } = await file.packed(chooseEncoding(request.headers['accept-encoding']));
  reply.headers({
    ...everyAnswer,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'Accept-Encoding',
  });
  if (isNamed(etag, request.headers['if-none-match'])) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.type(file.type).send(bytes);
}

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { invariant } from '../core/invariant.ts';
import type { Config } from '../core/config.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { permissionsPolicy } from './security-headers.ts';
import { pathOf } from './problem.ts';
import { sendContent, staticContent, type StaticContent } from './static-content.ts';

/**
 * Serves the dashboards from memory: their files, and one HTML page for all their URLs, which the browser renders. Requests never read
 * the disk, so other paths stay unknown.
 */
export function registerDashboards(app: FastifyInstance, folder: string, mode: Config['mode']): void {
  const files = readDashboardFiles(folder);
  const page = files.get('/index.html');
  invariant(page, 'the dashboards were built');
  const html = page.bytes.toString('utf8').replace(modePlaceholder, mode);

  app.get('/*', (request, reply) => {
    const path = pathOf(request.raw.url ?? '');
    const file = path === '/index.html' ? undefined : files.get(path);
    if (file !== undefined) return sendFile(request, reply, file);
    if (!acceptsHtml(request, path)) return reply.callNotFound();
    return sendPage(reply, html, isPage(path) ? 200 : 404);
  });
}

/** The pages before sign-in say whether this is the sandbox. */
const modePlaceholder = '__mode__';

/** The first path segments of all pages; a test compares them with web/src/app/routes/routes.tsx. */
export const pageNames: readonly string[] = [
  '',
  'sign-in',
  'sign-up',
  'link',
  'forgot-password',
  'account',
  'notifications',
  'second-factor',
  'stores',
  'new-store',
  'operator',
  'creator',
  'programs',
  'shopify',
];

const isPage = (path: string): boolean => pageNames.includes(path.split('/')[1] ?? '');

/** Browsers receive a page, also for an unknown URL. Programs receive JSON. */
const acceptsHtml = (request: FastifyRequest, path: string): boolean =>
  (request.headers.accept ?? '').includes('text/html') && !path.startsWith('/api/');

/** Only files of this service. Inline scripts, inline style sheets, and other origins are forbidden. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function sendPage(reply: FastifyReply, html: string, status: 200 | 404): FastifyReply {
  reply.status(status).headers({
    ...commonHeaders,
    'cache-control': 'no-cache',
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': permissionsPolicy,
    'x-frame-options': 'DENY',
  });
  return reply.send(html);
}

const commonHeaders = {
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export type DashboardFile = StaticContent & {
  /** The name contains a hash of the content, so the file never changes. */
  readonly isImmutable: boolean;
};

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: DashboardFile): Promise<FastifyReply> =>
  sendContent(request, reply, file, {
    ...commonHeaders,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  });

/** More files than this mean that the folder is the wrong one. */
const filesMax = 1_000;
const bytesMax = 32 * 1_024 * 1_024;

/** All files in a folder and its subfolders, by URL path. */
export function readDashboardFiles(folder: string): ReadonlyMap<string, DashboardFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  invariant(entries.length <= filesMax, `${folder} holds the dashboards and nothing else`);
  const files = new Map<string, DashboardFile>();
  let total = 0;
  for (const { parentPath, name } of entries) {
    const place = join(parentPath, name);
    const type = types[extname(name)];
    // A file without a known type (the fingerprint of the build) is not served.
    if (type === undefined) continue;
    const bytes = readFileSync(place);
    total += bytes.length;
    invariant(total <= bytesMax, `${folder} holds the dashboards and nothing else`);
    const path = `/${relative(folder, place).split(sep).join('/')}`;
    files.set(path, { ...staticContent(bytes, type), isImmutable: path.startsWith('/assets/') });
  }
  return files;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

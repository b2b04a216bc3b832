import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { constants } from 'node:zlib';
import { programFolder } from '../core/program-folder.ts';
import { invariant } from '../core/invariant.ts';
import { sendContent, staticContent, type StaticContent } from '../http/static-content.ts';
import { apiMessage } from '../messages/api-message.ts';

export type CaptureScript = {
  readonly path: string;
  /** Always the same bytes. A tag with `integrity` needs this URL, because the content of `path` changes with new releases of v1. */
  readonly immutablePath: string;
  /** The `integrity` attribute of a script tag, which also needs `crossorigin="anonymous"`. */
  readonly integrity: string;
  readonly content: StaticContent;
};

const folder = '/api/pn/sdk';
const methods = ['GET', 'HEAD'] as const;

// The first is the current v1. Earlier releases stay here under their own names, because stores have pinned their hashes, and
// a store whose pinned script is missing loses every click.
const releases = ['v1.min.js', 'v1.be2a625de53cfbaa.min.js'] as const;
const scripts = releases.map((file) => describe(readFileSync(new URL(`src/capture/${file}`, programFolder))));

/** The current v1, read once when the process starts. */
export function captureScript(): CaptureScript {
  const [current] = scripts;
  invariant(current, 'there is always a first release');
  return current;
}

/** Serves the script from memory, without the database, cookies, or a key. */
export function registerCapture(app: FastifyInstance): void {
  void app.register(
    async (scope) => {
      const current = captureScript();
      serve(scope, current.path, current, 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800');
      for (const script of scripts) serve(scope, script.immutablePath, script, 'public, max-age=31536000, immutable');

      const served = new Set([current.path, ...scripts.map((script) => script.immutablePath)]);
      scope.setNotFoundHandler((request, reply) => refuse(request, reply, served));
      // Runs before the body is read, because the method alone is wrong.
      scope.addHook('onRequest', async (request, reply) => (request.is404 ? refuse(request, reply, served) : undefined));
    },
    { prefix: folder },
  );
}

function describe(bytes: Buffer): CaptureScript {
  return {
    path: `${folder}/v1.js`,
    immutablePath: `${folder}/v1.${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.js`,
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    content: staticContent(bytes, 'text/javascript; charset=utf-8', constants.BROTLI_MAX_QUALITY),
  };
}

function serve(scope: FastifyInstance, path: string, script: CaptureScript, cacheControl: string): void {
  scope.route({
    method: [...methods],
    url: path.slice(folder.length),
    handler: (request, reply) =>
      sendContent(request, reply, script.content, { ...everyAnswer, 'access-control-allow-origin': '*', 'cache-control': cacheControl }),
  });
}

const everyAnswer = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'cross-origin' };

function refuse(request: FastifyRequest, reply: FastifyReply, served: ReadonlySet<string>): FastifyReply {
  reply.headers({ ...everyAnswer, 'cache-control': 'no-store' });
  const [path = ''] = request.url.split('?', 1);
  if (!served.has(path))
    return reply.code(404).send({ ok: false, reason: 'not_found', message: apiMessage('serve.there_no_script_at_url') });
  const message = apiMessage('serve.capture_script_supports_only_get');
  return reply.code(405).header('allow', methods.join(', ')).send({ ok: false, reason: 'method_not_allowed', message });
}

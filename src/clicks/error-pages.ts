import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiMessage } from '../messages/api-message.ts';

/** The error pages of links, without a script. */
const unknownLinkPage = page('This link leads nowhere', apiMessage('error_pages.link_may_incomplete_or_creator'));
const expiredTestLinkPage = page('This test link leads nowhere', apiMessage('error_pages.link_may_incomplete_or_its'));
const unavailablePage = page('One moment, please', apiMessage('error_pages.we_could_not_look_up'));

export const sendUnknownLinkPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(request, reply, { status: 404, reason: 'unknown_link', ...unknownLinkPage });

export const sendExpiredTestLinkPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(request, reply, { status: 404, reason: 'unknown_link', ...expiredTestLinkPage });

export function sendUnavailablePage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('retry-after', '1');
  return sendPage(request, reply, { status: 503, reason: 'temporarily_unavailable', ...unavailablePage });
}

type Page = { readonly status: number; readonly reason: string; readonly message: string; readonly html: string };

function sendPage(request: FastifyRequest, reply: FastifyReply, { status, reason, message, html }: Page): FastifyReply {
  reply.status(status);
  const wantsPage = request.headers.accept?.includes('text/html') === true;
  if (!wantsPage) return reply.send({ ok: false, reason, message, errors: [] });
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(html);
}

function page(title: string, message: string): { readonly message: string; readonly html: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark; --page: #f7f9f9; --sheet: #fff; --line: #e1e6e7; --text: #1c2529 }
@media (prefers-color-scheme: dark) { :root { --page: #0f1518; --sheet: #141b1f; --line: #2a353b; --text: #dfe5e7 } }
body { box-sizing: border-box; display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1rem }
body { font: 1rem/1.6 system-ui, sans-serif; background: var(--page); color: var(--text) }
main { max-width: 28rem; padding: 1.75rem 2rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet) }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3; font-weight: 600 }
p { margin: 0; text-wrap: pretty }
</style>
</head>
<body><main><h1>${title}</h1><p>${message}</p></main></body>
</html>
`;
  return { message: `${title}. ${message}`, html };
}

import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { publicId, readPublicId, type Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { realNow } from '../core/time.ts';
import { html } from '../http/html.ts';
import { readRequestBody } from '../http/read-request-body.ts';
import { findStore } from '../merchants/stores-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { insertUnsubscribe } from './unsubscribes-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

type Subscription = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

const signatureBytes = 16;
const bodyBytesMax = 10_000;
const bound = (storeId: string, creatorId: string): string => `${storeId} ${creatorId}`;

/** The link works without a session and never expires, as RFC 8058 expects; it can do nothing but end these emails. */
export function unsubscribeUrl({ config, secrets }: Pick<Platform, 'config' | 'secrets'>, { storeId, creatorId }: Subscription): string {
  const [store, creator] = [publicId('store', storeId), publicId('crt', creatorId)];
  const signature = secrets.keyedHash(bound(store, creator), 'unsubscribe').subarray(0, signatureBytes).toString('base64url');
  return `${config.baseUrl}/unsubscribe/${store}/${creator}/${signature}`;
}

type Params = { readonly store: string; readonly creator: string; readonly signature: string };

function readSubscription(secrets: Secrets, { store, creator, signature }: Params): Subscription | null {
  const given = Buffer.from(signature, 'base64url');
  const [storeId, creatorId] = [readPublicId('store', store), readPublicId('crt', creator)];
  if (given.length !== signatureBytes || storeId === null || creatorId === null) return null;
  const expected = secrets.keyedHashes(bound(store, creator), 'unsubscribe').map((hash) => hash.subarray(0, signatureBytes));
  return expected.some((hash) => timingSafeEqual(hash, given)) ? { storeId, creatorId } : null;
}

/** GET shows a button, because mail scanners open every link. POST is the button, and the one click of a mail client (RFC 8058). */
export function registerUnsubscribe(app: FastifyInstance, platform: Platform): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Mail clients send a form, whose content does not matter.
    scope.addContentTypeParser('*', (request: FastifyRequest) => readRequestBody(request, bodyBytesMax));
    scope.get<{ Params: Params }>('/unsubscribe/:store/:creator/:signature', async ({ params }, reply) => {
      const subscription = readSubscription(platform.secrets, params);
      const store = subscription && (await findStore(platform.database, subscription.storeId));
      if (store === null)
        return sendPage(reply, 404, {
          title: 'This link is not valid',
          text: apiMessage('unsubscribe.copy_whole_link_from_email'),
          button: null,
        });
      return sendPage(reply, 200, {
        title: 'Unsubscribe',
        text: apiMessage('unsubscribe.stop_emails_from_you_as', { name: store.name }),
        button: 'Unsubscribe',
      });
    });
    scope.post<{ Params: Params }>('/unsubscribe/:store/:creator/:signature', async ({ params }, reply) => {
      const subscription = readSubscription(platform.secrets, params);
      if (subscription === null)
        return sendPage(reply, 404, {
          title: 'This link is not valid',
          text: apiMessage('unsubscribe.copy_whole_link_from_email'),
          button: null,
        });
      await insertUnsubscribe(platform.database, { ...subscription, at: realNow() });
      return sendPage(reply, 200, {
        title: 'You are unsubscribed',
        text: apiMessage('unsubscribe.store_can_no_longer_send'),
        button: null,
      });
    });
  });
}

type Page = { readonly title: string; readonly text: string; readonly button: string | null };

function sendPage(reply: FastifyReply, status: number, { title, text, button }: Page): FastifyReply {
  const form = button === null ? [] : [html`<form method="post"><button type="submit">${button}</button></form>`];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          body {
            max-width: 28rem;
            margin: 4rem auto;
            padding: 0 1rem;
            font:
              1rem/1.6 system-ui,
              sans-serif;
          }
          button {
            font: inherit;
            padding: 0.5rem 1rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          ${form}
        </main>
      </body>
    </html>`;
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    })
    .send(page.html);
}

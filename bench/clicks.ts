import type { FastifyInstance } from 'fastify';
import { openLinkCache } from '../src/clicks/clicks.ts';
import type { Recorder } from '../src/clicks/record-clicks.ts';
import { createAddressHash, registerRedirect } from '../src/clicks/redirect.ts';
import type { KeyRing } from '../src/clicks/signing-keys.ts';
import type { Platform } from '../src/runtime/platform.ts';
import { insertOneClick } from './baseline-sql.ts';

export type Parts = { readonly platform: Platform; readonly ring: KeyRing };
export type ClickContestant = 'an INSERT per request' | 'no recording' | 'a constant 302';

/** The real redirect, except for how the click is stored. */
export const clickContestants: Readonly<Record<ClickContestant, (app: FastifyInstance, parts: Parts) => void>> = {
  'an INSERT per request': (app, parts) =>
    redirects(app, parts, async (arrival) => {
      if (arrival.what === 'click') await insertOneClick(parts.platform.database.pool, arrival.click, arrival.day);
      return 'committed';
    }),
  'no recording': (app, parts) => redirects(app, parts, async () => 'committed'),
  'a constant 302': (app) => void app.get('/r/:code', (_request, reply) => reply.redirect('https://shop.example/?rm_click=none', 302)),
};

function redirects(app: FastifyInstance, { platform, ring }: Parts, record: Recorder['record']): void {
  const links = openLinkCache(platform);
  const recorder: Recorder = { record, count: async () => {}, close: async () => {} };
  registerRedirect(app, { platform, links, recorder, ring, addressHash: createAddressHash(platform.secrets) });
}

import type { FastifyInstance } from 'fastify';
import { isDatabaseAway } from '../db/connection-errors.ts';
import { publicId, readPublicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { sendUnavailablePage, sendExpiredTestLinkPage } from './error-pages.ts';
import { findOpenTestLink, markTestLinkOpened, type TestLink } from './test-links-sql.ts';
import { visitOf } from './decide-visit.ts';

type TestLinkKey = Pick<TestLink, 'storeId' | 'testLinkId'>;

/** `GET /t/:id`: records that a person opened the test link, and redirects to its landing page. */
export function registerTestLinks(app: FastifyInstance, { tenants, clock }: Platform): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/t/:id',
    handler: async (request, reply) => {
      reply.header('referrer-policy', 'strict-origin-when-cross-origin');
      const key = readKey(request.params.id);
      if (key === null) return sendExpiredTestLinkPage(request, reply);
      const visit = visitOf(request);
      if (visit === 'prefetch') return sendUnavailablePage(request, reply);
      const now = clock.now();
      const { database } = tenants.nodeOf(key.storeId);
      try {
        const link = await findOpenTestLink(database, key, now);
        if (link === null) return sendExpiredTestLinkPage(request, reply);
        // A chat preview does not count as opened.
        if (visit === 'person' && link.openedAt === null) await markTestLinkOpened(database, key, now);
        return reply.redirect(link.url, 302);
      } catch (error) {
        if (isDatabaseAway(error)) return sendUnavailablePage(request, reply);
        throw error;
      }
    },
  });
}

const idLength = 26;

/** The URL contains the store, so that no directory of all test links is needed. */
export const openingUrl = (baseUrl: string, { storeId, testLinkId }: TestLinkKey): string =>
  `${baseUrl}/t/${publicId('store', storeId).slice(-idLength)}${publicId('tlink', testLinkId).slice(-idLength)}`;

function readKey(text: string): TestLinkKey | null {
  const storeId = readPublicId('store', `store_${text.slice(0, idLength)}`);
  const testLinkId = readPublicId('tlink', `tlink_${text.slice(idLength)}`);
  return storeId === null || testLinkId === null ? null : { storeId, testLinkId };
}

import type { FastifyInstance } from 'fastify';
import { isDatabaseAway } from '../platform/database/away.ts';
import { publicId, readPublicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { answerAway, answerOverTestLink } from './pages.ts';
import { findOpenTestLink, noteOpened, type TestLink } from './test-links-sql.ts';
import { visitOf } from './visit-of.ts';

type NameOfTestLink = Pick<TestLink, 'storeId' | 'testLinkId'>;

/** `GET /t/:id`: notes that somebody came by a test link, and leads on to where the link goes. */
export function registerTestLinks(app: FastifyInstance, { database, clock }: Platform): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/t/:id',
    handler: async (request, reply) => {
      reply.header('referrer-policy', 'strict-origin-when-cross-origin');
      const name = readName(request.params.id);
      if (name === null) return answerOverTestLink(request, reply);
      const visit = visitOf(request);
      if (visit === 'prefetch') return answerAway(request, reply);
      const now = clock.now();
      try {
        const link = await findOpenTestLink(database, name, now);
        if (link === null) return answerOverTestLink(request, reply);
        // The preview of a chat proves nothing.
        if (visit === 'person' && link.openedAt === null) await noteOpened(database, name, now);
        return reply.redirect(link.url, 302);
      } catch (error) {
        if (isDatabaseAway(error)) return answerAway(request, reply);
        throw error;
      }
    },
  });
}

const letters = 26;

/** The address names the store too, so that the link is found without a directory of all stores' links. */
export const openingUrl = (baseUrl: string, { storeId, testLinkId }: NameOfTestLink): string =>
  `${baseUrl}/t/${publicId('store', storeId).slice(-letters)}${publicId('tlink', testLinkId).slice(-letters)}`;

function readName(text: string): NameOfTestLink | null {
  const storeId = readPublicId('store', `store_${text.slice(0, letters)}`);
  const testLinkId = readPublicId('tlink', `tlink_${text.slice(letters)}`);
  return storeId === null || testLinkId === null ? null : { storeId, testLinkId };
}

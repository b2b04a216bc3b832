import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { mintClickId } from '../contract/click-id.ts';
import { readDestination } from '../merchants/destination.ts';
import { addressLengthMax } from '../merchants/site.ts';
import { findStore, lockStore } from '../merchants/stores-sql.ts';
import { endpoint, type Endpoint } from '../people/endpoint.ts';
import { notFound, refuse } from '../http/responses.ts';
import { isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { pageOf } from '../http/page.ts';
import { newId, publicId } from '../core/ids.ts';
import { hourMs } from '../core/time.ts';
import { clickIdInUrl, withClick } from './landing-url.ts';
import { openingUrl } from './open-test-link.ts';
import type { KeyRing } from './signing-keys.ts';
import { countOpenTestLinks, insertTestLink, openTestLinks, type OpenTestLink } from './test-links-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

export const testLinkHours = 24;
export const openTestLinksMax = 5;
/** A test click has no creator's link. */
const noLink = 0n;

export const createTestLink = (ring: KeyRing): Endpoint =>
  endpoint({
    summary: 'Create a test link: open it, place an order, and report it with test: true',
    access: { allow: 'store', permission: 'integration:write' },
    body: T.Object(
      { landing_url: T.Optional(orNull(T.String({ minLength: 1, maxLength: addressLengthMax }))) },
      { additionalProperties: false },
    ),
    reply: T.Object({ url: T.String(), click_id: T.String(), expires_at: T.String() }),
    status: 201,
    audit: 'test_link.create',
    async handle({ db, ids, body, now }) {
      await lockStore(db, ids.store);
      const store = await findStore(db, ids.store);
      if (store === null) return notFound;
      const landing = readDestination(body.landing_url ?? store.siteUrl, store.siteUrl);
      if (landing.is === 'wrong')
        return refuse('unprocessable', apiMessage('test_links_api.landing_page_invalid_see_errors'), [
          { field: 'landing_url', message: landing.message },
        ]);
      if ((await countOpenTestLinks(db, ids.store, now)) >= openTestLinksMax) {
        return refuse('limit_reached', apiMessage('test_links_api.there_can_at_most_open', { openTestLinksMax }));
      }
      const keys = await ring.keysAt(now);
      if (keys === null) return refuse('temporarily_unavailable', apiMessage('test_links_api.keys_sign_clicks_could_not'));
      const { text, clickId } = mintClickId({ kind: 'test', at: now, linkNumber: noLink, keys });
      const url = withClick(landing.href, text);
      const expiresAt = new Date(now.getTime() + testLinkHours * hourMs);
      await insertTestLink(db, { storeId: ids.store, testLinkId: newId(now), clickId, url, createdAt: now, expiresAt });
      return { url, click_id: text, expires_at: isoTime(expiresAt) };
    },
  });

const testLinkJson = namedObject('TestLink', {
  id: T.String(),
  url: T.String({ description: 'The landing page, with the click' }),
  open_url: T.String({ description: 'Opens the landing page and records the visit' }),
  click_id: T.String(),
  created_at: T.String(),
  expires_at: T.String(),
  opened_at: orNull(T.String()),
});

/** One page, because a store has at most five open test links. */
export const listTestLinks = endpoint({
  summary: 'List the open test links, newest first',
  access: { allow: 'store', permission: 'store:read' },
  reply: pageOf(testLinkJson),
  async handle({ platform, db, ids, now }) {
    const links = await openTestLinks(db, ids.store, now);
    return { data: links.map((link) => showTestLink(link, platform.config.baseUrl)), next_cursor: null };
  },
});

function showTestLink(link: OpenTestLink, baseUrl: string): Static<typeof testLinkJson> {
  return {
    id: publicId('tlink', link.testLinkId),
    url: link.url,
    open_url: openingUrl(baseUrl, link),
    click_id: clickIdInUrl(link.url) ?? '',
    created_at: isoTime(link.createdAt),
    expires_at: isoTime(link.expiresAt),
    opened_at: isoTimeOrNull(link.openedAt),
  };
}

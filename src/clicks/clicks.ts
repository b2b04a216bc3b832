import type { FastifyInstance } from 'fastify';
import { locateLinks, resolveLinks, type LinkLocation } from '../creators/resolve-links-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { secondMs } from '../core/time.ts';
import { landingUrl } from './landing-url.ts';
import { createLinkCache, type LinkCache } from './link-cache.ts';
import { registerTestLinks } from './open-test-link.ts';
import { createUpcomingPartitions } from './partitions.ts';
import { createRecorder } from './record-clicks.ts';
import { createAddressHash, registerRedirect, type CreatorLink } from './redirect.ts';
import { openKeyRing, type KeyRing } from './signing-keys.ts';

export type Clicks = {
  readonly ring: KeyRing;
  readonly register: (app: FastifyInstance) => void;
  readonly close: () => Promise<void>;
};

const cacheOptions = { freshMs: secondMs, refreshAfterMs: 700, refreshWaitMs: 150, loadWaitMs: 3 * secondMs, linksMax: 100_000 };

export const openLinkCache = ({ tenants }: Pick<Platform, 'tenants'>): LinkCache<CreatorLink> =>
  createLinkCache<LinkLocation, CreatorLink>({
    locate: (codes) => tenants.readAnywhere((db) => locateLinks(db, codes)),
    nodeOf: ({ storeId }) => tenants.nodeOf(storeId).name,
    async load(locations) {
      const [first] = locations;
      if (first === undefined) return new Map();
      const links = await resolveLinks(tenants.nodeOf(first.storeId).database, locations);
      return new Map([...links].map(([code, { destination, ...link }]) => [code, { ...link, landing: landingUrl(destination) }]));
    },
    ...cacheOptions,
  });

/** Opens the key ring, the recorder, and the link cache, once per process. */
export async function openClicks(platform: Platform): Promise<Clicks> {
  await createUpcomingPartitions(platform, platform.clock.now());
  const ring = await openKeyRing(platform);
  const recorder = createRecorder(platform);
  const links = openLinkCache(platform);
  return {
    ring,
    register(app) {
      registerRedirect(app, { platform, links, recorder, ring, addressHash: createAddressHash(platform.secrets) });
      registerTestLinks(app, platform);
    },
    async close() {
      await recorder.close();
      ring.close();
    },
  };
}

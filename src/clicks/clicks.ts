import type { FastifyInstance } from 'fastify';
import { linksByCode } from '../creators/link-standing-sql.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import { createAddressHash } from './address.ts';
import { createLinkCache } from './link-cache.ts';
import { registerTestLinks } from './open-test-link.ts';
import { makePartitionsAhead } from './partitions.ts';
import { createRecorder } from './record.ts';
import { registerRedirect, type CreatorLink } from './redirect.ts';
import { openKeyRing, type KeyRing } from './signing-keys.ts';

export type Clicks = {
  readonly ring: KeyRing;
  readonly register: (app: FastifyInstance) => void;
  readonly close: () => Promise<void>;
};

const cacheOptions = { freshMs: secondMs, patienceMs: 150, unknownPatienceMs: 3 * secondMs, linksMax: 100_000 };

/** The room's moving parts, opened once per process. */
export async function openClicks(platform: Platform): Promise<Clicks> {
  await makePartitionsAhead(platform, platform.clock.now());
  const ring = await openKeyRing(platform);
  const recorder = createRecorder(platform);
  const links = createLinkCache<CreatorLink>({ load: (codes) => linksByCode(platform.database, codes), ...cacheOptions });
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

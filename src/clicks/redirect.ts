import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mintClickId } from '../contract/click-id.ts';
import { codeShape } from '../creators/links.ts';
import type { Id } from '../core/ids.ts';
import { ownCopy } from '../core/own-copy.ts';
import type { Secrets } from '../core/secrets.ts';
import { requestBuckets } from '../metrics/metric-factory.ts';
import type { Platform } from '../runtime/platform.ts';
import { addClick, type LandingUrl } from './landing-url.ts';
import type { Found, LinkCache } from './link-cache.ts';
import { sendUnavailablePage, sendUnknownLinkPage } from './error-pages.ts';
import { visitOf, type Visit } from './decide-visit.ts';
import type { Arrival, RecordEnd, Recorder } from './record-clicks.ts';
import type { KeyRing } from './signing-keys.ts';
import { dayOf } from '../core/time.ts';

/** A creator's link. It earns while the member is approved, the program published, and the store open. */
export type CreatorLink = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly landing: LandingUrl;
  readonly earns: boolean;
};

export type RedirectParts = {
  readonly platform: Platform;
  readonly links: LinkCache<CreatorLink>;
  readonly recorder: Recorder;
  readonly ring: KeyRing;
  readonly addressHash: (address: string, day: string) => Buffer;
};

/** A visit by a cached link is redirected within this time, even if the database does not respond. The promised limit is 250 ms. */
const answerMsMax = 200;
const isCode = new RegExp(codeShape);

/** `GET /r/:code`: redirects to the destination, with a click ID if a person arrived by a link that earns. */
export function registerRedirect(app: FastifyInstance, parts: RedirectParts): void {
  const { histogram, requestRates } = parts.platform.metrics;
  const took = histogram('redirect_duration_seconds', 'Time from the headers of a visit to its reply', ['ended'], requestBuckets);
  const ended = (how: Ended, startedAt: number): void => {
    const tookMs = performance.now() - startedAt;
    took.observe({ ended: how }, tookMs / 1_000);
    if (how !== 'unknown_link' && how !== 'unavailable') requestRates.redirects.record(tookMs);
  };
  app.route<{ Params: { code: string } }>({
    method: ['GET', 'HEAD'],
    url: '/r/:code',
    handler: async (request, reply) => {
      const startedAt = performance.now();
      const answerBy = startedAt + answerMsMax;
      reply.header('referrer-policy', 'strict-origin-when-cross-origin');
      const { code } = request.params;
      const found = parts.links.fresh(code, startedAt) ?? (await lookUp(code, parts));
      const exchange = { request, reply, answerBy };
      ended(found.is === 'link' ? await redirect(exchange, parts, found.link) : sendErrorPage(exchange, found.is), startedAt);
      return reply;
    },
  });
}

/** An invalid code is not looked up: a null byte would fail the look-up of all codes in the same statement. */
const lookUp = async (code: string, { links }: RedirectParts): Promise<Found<CreatorLink>> =>
  isCode.test(code) ? links.get(code) : { is: 'unknown' };

/** The result of a visit, as its metric names it. */
type Ended = RecordEnd | Exclude<Visit, 'person'> | 'paused' | 'unsigned' | 'unknown_link' | 'unavailable';

function sendErrorPage({ request, reply }: Exchange, why: 'unknown' | 'unavailable'): Ended {
  if (why === 'unknown') sendUnknownLinkPage(request, reply);
  else sendUnavailablePage(request, reply);
  return why === 'unknown' ? 'unknown_link' : 'unavailable';
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly answerBy: number };

async function redirect({ request, reply, answerBy }: Exchange, parts: RedirectParts, link: CreatorLink): Promise<Ended> {
  const visit = visitOf(request);
  const now = parts.platform.clock.now();
  const day = dayOf(now);
  if (visit !== 'person' || !link.earns) {
    // The reply does not wait for the count.
    const what = visit === 'person' ? 'paused' : visit;
    void parts.recorder.count({ day, what, link });
    // A 503 is not cached, so a browser that prefetched the link requests it again for the real visit.
    if (visit === 'prefetch') sendUnavailablePage(request, reply);
    else reply.redirect(link.landing.withoutClick, 302);
    return what;
  }
  const keys = parts.ring.completeKeys(now) ?? (await parts.ring.keysAt(now));
  // An unsigned click could not be verified later, so the visit continues without one.
  if (keys === null) {
    reply.redirect(link.landing.withoutClick, 302);
    return 'unsigned';
  }
  const { text, clickId } = mintClickId({ kind: 'referral', at: now, linkNumber: link.linkNumber, keys });
  const arrival = clickArrival(request, { link, day, clickId, addressHash: parts.addressHash(request.ip, day) });
  const end = await parts.recorder.record(arrival, answerBy);
  reply.redirect(addClick(link.landing, text), 302);
  return end;
}

type Clicked = { readonly link: CreatorLink; readonly day: string; readonly clickId: Id<'click'>; readonly addressHash: Buffer };

function clickArrival(request: FastifyRequest, { link, day, clickId, addressHash }: Clicked): Arrival {
  const { storeId, linkNumber, programId, creatorId } = link;
  const click = {
    storeId,
    clickId,
    linkNumber,
    programId,
    creatorId,
    subId: subIdOf(request.query),
    referrerHost: hostOf(request.headers.referer),
    addressHash,
  };
  return { day, what: 'click', click };
}

/** The creator's own label for the place of the link: `/r/code?sub=newsletter`. A click can wait in memory for a long time. */
function subIdOf(query: unknown): string | null {
  const sub = typeof query === 'object' && query !== null && 'sub' in query ? query.sub : null;
  return typeof sub === 'string' && /^[\w.:-]{1,100}$/.test(sub) ? ownCopy(sub) : null;
}

const hostLengthMax = 253;

function hostOf(referrer: string | undefined): string | null {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { hostname } = new URL(referrer);
  return hostname !== '' && hostname.length <= hostLengthMax ? ownCopy(hostname) : null;
}

const cachedAddressesMax = 20_000;
const hashBytes = 16;

/**
 * Hashes an address with a key and the day, so that the same address has another hash tomorrow. It caches the hashes of the day, because
 * hashing takes several times as long as the look-up.
 */
export function createAddressHash(secrets: Secrets): (address: string, day: string) => Buffer {
  const cache = new Map<string, Buffer>();
  let cachedDay = '';
  return (address, day) => {
    if (day !== cachedDay || cache.size >= cachedAddressesMax) cache.clear();
    cachedDay = day;
    const cached = cache.get(address);
    if (cached !== undefined) return cached;
    // A view, because a copy of a few bytes would be in Node's shared memory, and keep 64 kB of it.
    const hash = secrets.keyedHash(address, `click ${day}`).subarray(0, hashBytes);
    cache.set(ownCopy(address), hash);
    return hash;
  };
}

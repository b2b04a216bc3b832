import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { mintClickId } from '../contract/click-id.ts';
import { codeShape } from '../creators/links.ts';
import type { Id } from '../platform/ids.ts';
import { answerBuckets } from '../platform/metrics.ts';
import type { Platform } from '../platform/platform.ts';
import { withClick } from './landing.ts';
import type { LinkCache } from './link-cache.ts';
import { answerAway, answerUnknownLink } from './pages.ts';
import type { Visit } from './decide-visit.ts';
import type { Arrival, RecordEnd, Recorder } from './record.ts';
import type { KeyRing } from './signing-keys.ts';
import { visitOf } from './visit-of.ts';

/** A creator's link as the redirect needs it. It earns while member, program and store are in good standing. */
export type CreatorLink = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly destination: string;
  readonly earns: boolean;
};

export type RedirectParts = {
  readonly platform: Platform;
  readonly links: LinkCache<CreatorLink>;
  readonly recorder: Recorder;
  readonly ring: KeyRing;
  readonly addressHash: (address: string, day: string) => Buffer;
};

/**
 * By a link that is known here a shopper is on the way after this long, whatever the database does: look-up, keys and commit together.
 * 250 ms are promised.
 */
const answerMsMax = 200;
const isCode = new RegExp(codeShape);

/** `GET /r/:code`: the shopper goes on, with a click ID where a person arrived by a link that earns. */
export function registerRedirect(app: FastifyInstance, parts: RedirectParts): void {
  const { histogram, traffic } = parts.platform.metrics;
  const took = histogram('redirect_duration_seconds', 'From the headers of a visit to its answer', ['ended'], answerBuckets);
  const ended = (how: Ended, startedAt: number): void => {
    const tookMs = performance.now() - startedAt;
    took.observe({ ended: how }, tookMs / 1_000);
    if (how !== 'unknown_link' && how !== 'unavailable') traffic.redirects.answered(tookMs);
  };
  app.route<{ Params: { code: string } }>({
    method: ['GET', 'HEAD'],
    url: '/r/:code',
    handler: async (request, reply) => {
      const startedAt = performance.now();
      const answerBy = startedAt + answerMsMax;
      reply.header('referrer-policy', 'strict-origin-when-cross-origin');
      const { code } = request.params;
      // What no link can be called is not asked for: a null byte would fail the look-up of all who asked at the same time.
      const found = isCode.test(code) ? await parts.links.get(code) : unknown;
      const arriving = { request, reply, answerBy };
      ended(found.is === 'link' ? await arrive(arriving, parts, found.link) : turnAway(arriving, found.is), startedAt);
      return reply;
    },
  });
}

const unknown = { is: 'unknown' } as const;

/** What became of a visit, as its figures call it. */
type Ended = RecordEnd | Exclude<Visit, 'person'> | 'paused' | 'unsigned' | 'unknown_link' | 'unavailable';

function turnAway({ request, reply }: Arriving, why: 'unknown' | 'unavailable'): Ended {
  if (why === 'unknown') answerUnknownLink(request, reply);
  else answerAway(request, reply);
  return why === 'unknown' ? 'unknown_link' : 'unavailable';
}

type Arriving = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly answerBy: number };

async function arrive({ request, reply, answerBy }: Arriving, parts: RedirectParts, link: CreatorLink): Promise<Ended> {
  const visit = visitOf(request);
  const now = parts.platform.clock.now();
  const day = now.toISOString().slice(0, 10);
  if (visit !== 'person' || !link.earns) {
    // Nobody waits for a figure: these arrivals are counted, not promised.
    const what = visit === 'person' ? 'paused' : visit;
    void parts.recorder.count({ day, what, link });
    // A browser that fetches ahead asks again when the visit is real, but only if it got no answer that it may keep.
    if (visit === 'prefetch') answerAway(request, reply);
    else reply.redirect(withClick(link.destination, null), 302);
    return what;
  }
  const keys = await parts.ring.keysAt(now);
  // A click that no order could name would say that the shopper was counted; without one they are in the shop all the same.
  if (keys === null) {
    reply.redirect(withClick(link.destination, null), 302);
    return 'unsigned';
  }
  const { text, clickId } = mintClickId({ kind: 'referral', at: now, linkNumber: link.linkNumber, keys });
  const arrival = clickArrival(request, { link, day, clickId, addressHash: parts.addressHash(request.ip, day) });
  const end = await parts.recorder.record(arrival, answerBy);
  reply.redirect(withClick(link.destination, text), 302);
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

/** What a creator added to tell their own places apart: `/r/code?sub=newsletter`. */
function subIdOf(query: unknown): string | null {
  const sub = typeof query === 'object' && query !== null && 'sub' in query ? query.sub : null;
  return typeof sub === 'string' && /^[\w.:-]{1,100}$/.test(sub) ? sub : null;
}

const hostLengthMax = 253;

function hostOf(referrer: string | undefined): string | null {
  if (referrer === undefined || !URL.canParse(referrer)) return null;
  const { hostname } = new URL(referrer);
  return hostname !== '' && hostname.length <= hostLengthMax ? hostname : null;
}

import { isbot } from 'isbot';

/**
 * Who comes by a link: only a person who arrives earns a click ID. The others are counted by kind, so that a creator sees
 * why the raw figure is higher than the figure of clicks.
 */
export type Visit = 'person' | 'head' | 'prefetch' | 'bot' | 'subresource';

export type VisitFacts = {
  readonly method: string;
  readonly userAgent: string | undefined;
  /** `Sec-Purpose`, or its older names `Purpose` and `X-Moz`. */
  readonly purpose: string | undefined;
  readonly fetchDestination: string | undefined;
};

export function decideVisit({ method, userAgent, purpose, fetchDestination }: VisitFacts): Visit {
  if (method === 'HEAD') return 'head';
  if (purpose !== undefined && /\b(prefetch|prerender|preview)\b/i.test(purpose)) return 'prefetch';
  if (userAgent === undefined || userAgent === '' || isBot(userAgent)) return 'bot';
  if (fetchDestination !== undefined && fetchDestination !== 'document') return 'subresource';
  return 'person';
}

const knownMax = 5_000;
const knownLengthMax = 300;
const known = new Map<string, boolean>();

/** A few thousand browsers are most of the traffic, and the list of bots is a long expression: what it said of one is remembered. */
function isBot(userAgent: string): boolean {
  const before = known.get(userAgent);
  if (before !== undefined) return before;
  if (userAgent.length > knownLengthMax) return isbot(userAgent);
  if (known.size >= knownMax) known.clear();
  const is = isbot(userAgent);
  known.set(userAgent, is);
  return is;
}

import { isbot } from 'isbot';

/** The kind of request for a link. Only a person gets a click ID; the others are counted, so that a creator sees what was filtered out. */
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

const cachedMax = 5_000;
const cachedLengthMax = 300;
const botCache = new Map<string, boolean>();

/** Caches the result of a long regular expression, because a few thousand browsers are most of the traffic. */
function isBot(userAgent: string): boolean {
  const cached = botCache.get(userAgent);
  if (cached !== undefined) return cached;
  if (userAgent.length > cachedLengthMax) return isbot(userAgent);
  if (botCache.size >= cachedMax) botCache.clear();
  const is = isbot(userAgent);
  botCache.set(userAgent, is);
  return is;
}

type VisitRequest = { readonly method: string; readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> };

export const visitOf = ({ method, headers }: VisitRequest): Visit =>
  decideVisit({
    method,
    userAgent: headerText(headers['user-agent']),
    purpose: headerText(headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']),
    fetchDestination: headerText(headers['sec-fetch-dest']),
  });

const headerText = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(',');

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
  if (userAgent === undefined || userAgent === '' || isbot(userAgent)) return 'bot';
  if (fetchDestination !== undefined && fetchDestination !== 'document') return 'subresource';
  return 'person';
}

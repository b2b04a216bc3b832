import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import { isoTime, namedObject, orNull } from '../http/fields.ts';
import type { PageCheck } from './page-check.ts';

export const pageCheckJson = namedObject('PageCheck', {
  at: T.String(),
  page_url: T.String(),
  is_working: T.Boolean({ description: 'Whether a click that arrives at this page is captured' }),
  status: orNull(T.Integer({ description: 'The status of the page; null if there was no response' })),
  ended_at: T.String({ description: 'The URL after all redirects' }),
  tag: orNull(
    T.Object({
      src: T.String(),
      is_in_head: T.Boolean(),
      loads: T.String(),
      consent_mode: T.String(),
      max_age_days: T.Integer(),
      attributes: T.Record(T.String(), T.String()),
    }),
  ),
  content_security_policy: orNull(T.String()),
  findings: T.Array(
    T.Object({
      level: T.Union([T.Literal('error'), T.Literal('warning')]),
      code: T.String(),
      message: T.String({ description: 'The finding and how to fix it' }),
    }),
  ),
});

export function showPageCheck({ at, pageUrl, found }: PageCheck): Static<typeof pageCheckJson> {
  const { tag } = found;
  return {
    at: isoTime(at),
    page_url: pageUrl,
    is_working: found.isWorking,
    status: found.status,
    ended_at: found.endedAt,
    tag: tag && {
      src: tag.src,
      is_in_head: tag.isInHead,
      loads: tag.loads,
      consent_mode: tag.consentMode,
      max_age_days: tag.maxAgeDays,
      attributes: { ...tag.attributes },
    },
    content_security_policy: found.contentSecurityPolicy,
    findings: found.findings.map((finding) => ({ ...finding })),
  };
}

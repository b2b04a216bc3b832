import type { Refused, Result } from './send.ts';

const mendableReasons = [
  'missing_postback_key',
  'invalid_postback_key',
  'store_archived',
  'integration_disabled',
  'not_found',
  'unexpected_redirect',
];

/**
 * Rejected because of a key, a URL, a setting or a proxy, not because of its content: once that is fixed, the same report succeeds. A queue
 * keeps such a report.
 */
export const isMendable = (result: Result): result is Refused =>
  !result.ok && result.outcome === 'refused' && (mendableReasons.includes(result.reason) || result.reason.startsWith('http_'));

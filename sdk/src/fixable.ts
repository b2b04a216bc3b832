import type { Refused, Result } from './send.ts';

const fixableReasons = [
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
export const isFixable = (result: Result): result is Refused =>
  !result.ok && result.outcome === 'refused' && (fixableReasons.includes(result.reason) || result.reason.startsWith('http_'));

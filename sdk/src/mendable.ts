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
 * Refused because of a key, an address, a switch or a proxy, not because of what is in it: somebody mends that, and then the same
 * report succeeds. Whoever keeps reports keeps such a one.
 */
export const isMendable = (result: Result): result is Refused =>
  !result.ok && result.outcome === 'refused' && (mendableReasons.includes(result.reason) || result.reason.startsWith('http_'));

import { must } from '../platform/must.ts';
import type { MoneyOutcome } from './provider.ts';
import type { Movement } from './sandbox-sql.ts';

/** What stands in the sandbox's book, as its answers, its search and its news tell it. */
export function outcomeOf({ status, providerId, code, message }: Movement): Exclude<MoneyOutcome, { is: 'unknown' }> {
  if (status !== 'declined') return { is: status, providerId };
  must(code !== null && message !== null, 'what was declined says why');
  return { is: 'declined', providerId, code, message };
}

import { invariant } from '../core/invariant.ts';
import type { MoneyOutcome } from './provider.ts';
import type { Movement } from './sandbox-sql.ts';

export function outcomeOf({ status, providerId, code, message }: Movement): Exclude<MoneyOutcome, { is: 'unknown' }> {
  if (status !== 'declined') return { is: status, providerId };
  invariant(code !== null && message !== null, 'a declined movement has a code and a message');
  return { is: 'declined', providerId, code, message };
}

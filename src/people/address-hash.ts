import type { Secrets } from '../core/secrets.ts';
import { dayOf, realNow } from '../core/time.ts';

/**
 * Hashes a network address for sessions and the audit log. The key contains the day, so two entries of one day can be compared, and people
 * cannot be tracked across days.
 */
export const hashAddress = (secrets: Secrets, address: string): Buffer => secrets.keyedHash(address, `address ${dayOf(realNow())}`);

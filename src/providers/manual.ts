import type { PayoutProvider } from './provider.ts';

/**
 * A person pays by hand, from the list of what is to be paid, and says so. Nothing is called here: what was handed to the
 * person is pending until they mark it, and no look-up knows better than they do.
 */
export const manualPayouts: PayoutProvider = {
  name: 'manual',
  ends: 'by_person',
  keyLifeMs: Number.POSITIVE_INFINITY,
  absentIsSureAfterMs: Number.POSITIVE_INFINITY,
  pay: async ({ reference }) => ({ is: 'pending', providerId: reference }),
  lookUpPayout: async ({ reference }) => ({ is: 'pending', providerId: reference }),
};

import type { PayoutProvider } from './provider.ts';

/** A person transfers the money from the list of manual payouts. No provider is called: a payout is pending until the person marks it. */
export const manualPayouts: PayoutProvider = {
  name: 'manual',
  ends: 'by_person',
  keyLifeMs: Number.POSITIVE_INFINITY,
  absentIsSureAfterMs: Number.POSITIVE_INFINITY,
  pay: async ({ reference }) => ({ is: 'pending', providerId: reference }),
  lookUpPayout: async ({ reference }) => ({ is: 'pending', providerId: reference }),
};

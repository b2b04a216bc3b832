import { apiPath } from '../../api/operations.ts';

export const creatorPayoutsPath = (creator: string) => apiPath('/creators/{creator}/payouts', { creator });
export const creatorPayoutPath = (creator: string, payout: string) => apiPath('/creators/{creator}/payouts/{payout}', { creator, payout });

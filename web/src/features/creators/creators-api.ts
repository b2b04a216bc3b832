import { apiPath } from '../../api/operations.ts';

export const storeCreatorsPath = (store: string) => apiPath('/stores/{store}/creators', { store });
export const creatorInvitationsPath = (store: string) => apiPath('/stores/{store}/creator-invitations', { store });

export const creatorImportsPath = (store: string) => apiPath('/stores/{store}/creator-imports', { store });

export const creatorMessagesPath = (store: string) => apiPath('/stores/{store}/creator-messages', { store });

/** The periods of a creator's results, as they are in the URL. */
export const periodDays = { '30d': 30, '90d': 90, '365d': 365 } as const;
export type Period = keyof typeof periodDays;
export const defaultPeriod: Period = '30d';
export const isPeriod = (text: string): text is Period => Object.hasOwn(periodDays, text);

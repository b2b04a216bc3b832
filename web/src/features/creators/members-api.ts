import { apiPath } from '../../api/operations.ts';

export const membersPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/members', { store, program });
export const linksPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/links', { store, program });

import { apiPath } from '../../api/operations.ts';
import { apiListQuery } from '../../ui/queries.ts';

export const membersPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/members', { store, program });
export const linksPath = (store: string, program: string) => apiPath('/stores/{store}/programs/{program}/links', { store, program });
export const memberList = (store: string, program: string) =>
  apiListQuery(apiPath('/stores/{store}/programs/{program}/members', { store, program }, { limit: 200 }));
export const linkList = (store: string, program: string) => apiListQuery(linksPath(store, program));

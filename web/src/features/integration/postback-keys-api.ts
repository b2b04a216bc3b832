import { apiPath } from '../../api/operations.ts';
import { apiListQuery } from '../../ui/queries.ts';

export const postbackKeysPath = (store: string) => apiPath('/stores/{store}/postback-keys', { store });
export const postbackKeysQuery = (store: string) => apiListQuery(postbackKeysPath(store));

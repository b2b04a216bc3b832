import { apiListQuery } from '../../ui/queries.ts';
import { storePath } from '../stores/stores-api.ts';

export type PostbackKey = {
  readonly id: string;
  readonly last4: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

export const postbackKeysPath = (store: string) => `${storePath(store)}/postback-keys`;
export const postbackKeysQuery = (store: string) => apiListQuery<PostbackKey>(postbackKeysPath(store));

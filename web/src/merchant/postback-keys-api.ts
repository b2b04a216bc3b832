import { listing } from '../parts/reading.ts';
import { storePath } from './stores-api.ts';

export type PostbackKey = {
  readonly id: string;
  readonly last4: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

export const postbackKeysPath = (store: string) => `${storePath(store)}/postback-keys`;
export const postbackKeyList = (store: string) => listing<PostbackKey>(postbackKeysPath(store));

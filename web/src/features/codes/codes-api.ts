import type { DiscountCode } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';

export const codesPath = (store: string) => apiPath('/stores/{store}/codes', { store });
export const codePath = (store: string, code: string) => apiPath('/stores/{store}/codes/{code}', { store, code });

export const codeLeaksPath = (store: string) => apiPath('/stores/{store}/code-leaks', { store });
export const attributionWarningsPath = (store: string) => apiPath('/stores/{store}/attribution-warnings', { store });

/** What a change of a code affects. */
export const pathsOfCodes = (store: string): readonly string[] => [codesPath(store), codeLeaksPath(store), attributionWarningsPath(store)];

/** The state that a person sees: the status of the code, and whether the time is within its validity. */
export type CodeState = 'active' | 'paused' | 'ended' | 'scheduled' | 'expired' | 'shared';

type CodeValidity = Pick<DiscountCode, 'status' | 'shared' | 'valid_from' | 'valid_until'>;

/** The first match wins. */
export function codeStateOf({ status, shared, valid_from: from, valid_until: until }: CodeValidity, now: Date): CodeState {
  if (status !== 'active') return status;
  if (shared) return 'shared';
  if (until !== null && new Date(until) <= now) return 'expired';
  return new Date(from) > now ? 'scheduled' : 'active';
}

import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, ApiError } from '../api/client.ts';
import type { Session as AnySession } from '../../../sdk/src/api-schema.ts';
import { clearViewAs, storedViewAs, type ViewAs } from './view-as.ts';

/** The signed-in person and their permissions. */
export type Session = AnySession & {
  /** The account whose dashboard an operator views, read-only. */
  readonly viewAs?: ViewAs;
};

export type StoreRole = Session['stores'][number];

/** Null when the visitor is signed out, which is a valid result and not an error. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return applyViewAs(await api.get('/session', signal), storedViewAs());
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'not_signed_in')) throw error;
      // The operator's session ended, so the next person to sign in on this screen must see their own dashboard.
      clearViewAs();
      return null;
    }
  },
  staleTime: 60_000,
});

/** Reduces the session to read access to the viewed store, or to the viewed creator. */
function applyViewAs(session: Session, viewed: ViewAs | null): Session {
  if (viewed === null || !session.is_operator) return session;
  const stores = viewed.is === 'store' ? [{ id: viewed.id, role: 'viewer', permissions: ['store:read'] }] : [];
  return { ...session, is_operator: false, stores, creator_id: viewed.is === 'creator' ? viewed.id : null, viewAs: viewed };
}

/** The start page: the operator console, the creator portal, or the list of stores. */
export function homeRoute(session: Session | null): { readonly to: '/sign-in' | '/operator' | '/stores' | '/creator' } {
  if (session === null) return { to: '/sign-in' };
  if (session.is_operator) return { to: '/operator' };
  if (session.creator_id !== null && session.stores.length === 0) return { to: '/creator' };
  return { to: '/stores' };
}

/** Reads the session again after the person or their permissions changed, and updates every open page. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await router.invalidate();
  };
}

/**
 * Clears everything read for the person who signed out. It navigates first, because a page that is still shown would read its data
 * again and be rejected again.
 */
export async function clearSession(client: QueryClient, navigate: () => Promise<unknown>): Promise<void> {
  clearViewAs();
  client.setQueryData(sessionQuery.queryKey, null);
  await navigate();
  client.clear();
}

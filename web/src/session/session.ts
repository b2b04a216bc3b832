import { queryOptions } from '@tanstack/react-query';
import { api, ApiError } from '../api/client.ts';
import { clearViewAs, storedViewAs, type ViewAs } from './view-as.ts';

/** The signed-in person and their permissions. */
export type Session = {
  readonly actor: string;
  readonly name: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly creator_id: string | null;
  readonly stores: readonly StoreRole[];
  readonly second_factor: boolean;
  /** In live mode an operator must set up a second factor first. */
  readonly second_factor_required: boolean;
  readonly recovery_codes_left: number;
  readonly mode: 'sandbox' | 'live';
  /** The account whose dashboard an operator views, read-only. */
  readonly viewAs?: ViewAs;
};

export type StoreRole = { readonly id: string; readonly role: string; readonly permissions: readonly string[] };

/** Null when nobody is signed in, which is a valid result and not an error. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return applyViewAs(await api.get<Session>('/session', signal), storedViewAs());
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

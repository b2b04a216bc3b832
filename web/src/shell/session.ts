import { queryOptions } from '@tanstack/react-query';
import { api, ApiProblem } from '../api.ts';
import { forgetViewing, viewing, type Viewing } from './viewing.ts';

/** Who is signed in, and what they may do. */
export type Session = {
  readonly actor: string;
  readonly name: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly creator_id: string | null;
  readonly stores: readonly StoreRole[];
  readonly second_factor: boolean;
  /** In live mode an operator sets one up before anything else. */
  readonly second_factor_required: boolean;
  readonly recovery_codes_left: number;
  readonly mode: 'sandbox' | 'live';
  /** Whose dashboard an operator looks at, as its people see it; it changes nothing then. */
  readonly viewing?: Viewing;
};

export type StoreRole = { readonly id: string; readonly role: string; readonly permissions: readonly string[] };

/** Null: nobody is signed in. That is an answer, not a fault. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return asSeen(await api.get<Session>('/session', signal), viewing());
    } catch (error) {
      if (!(error instanceof ApiProblem && error.reason === 'not_signed_in')) throw error;
      // Who looked at another's dashboard is gone; who signs in next at this screen looks at their own.
      forgetViewing();
      return null;
    }
  },
  staleTime: 60_000,
});

/** What the people of the store may only read, or what the creator has: that is what is shown to the operator who looks. */
function asSeen(session: Session, viewed: Viewing | null): Session {
  if (viewed === null || !session.is_operator) return session;
  const stores = viewed.is === 'store' ? [{ id: viewed.id, role: 'viewer', permissions: ['store:read'] }] : [];
  return { ...session, is_operator: false, stores, creator_id: viewed.is === 'creator' ? viewed.id : null, viewing: viewed };
}

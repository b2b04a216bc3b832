import { queryOptions } from '@tanstack/react-query';
import { api, ApiProblem } from '../api.ts';

/** Who is signed in, and what they may do. */
export type Session = {
  readonly actor: string;
  readonly name: string;
  readonly email: string;
  readonly is_operator: boolean;
  readonly creator_id: string | null;
  readonly stores: readonly StoreRole[];
  readonly second_factor: boolean;
  readonly recovery_codes_left: number;
  readonly mode: 'sandbox' | 'live';
};

export type StoreRole = { readonly id: string; readonly role: string; readonly permissions: readonly string[] };

/** Null: nobody is signed in. That is an answer, not a fault. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await api.get<Session>('/session', signal);
    } catch (error) {
      if (error instanceof ApiProblem && error.reason === 'not_signed_in') return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

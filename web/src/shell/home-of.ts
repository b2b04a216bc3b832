import type { Session } from './session.ts';

/** Where somebody is at home: an operator in the console, a creator in the portal, everybody else at their stores. */
export function homeOf(session: Session | null): { readonly to: '/sign-in' | '/operator' | '/stores' | '/creator' } {
  if (session === null) return { to: '/sign-in' };
  if (session.is_operator) return { to: '/operator' };
  if (session.creator_id !== null && session.stores.length === 0) return { to: '/creator' };
  return { to: '/stores' };
}

import type { Session } from './session.ts';

/** The start page: the operator console, the creator portal, or the list of stores. */
export function homeRoute(session: Session | null): { readonly to: '/sign-in' | '/operator' | '/stores' | '/creator' } {
  if (session === null) return { to: '/sign-in' };
  if (session.is_operator) return { to: '/operator' };
  if (session.creator_id !== null && session.stores.length === 0) return { to: '/creator' };
  return { to: '/stores' };
}

import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { homeRoute, sessionQuery, type Session } from '../../session/session.ts';
import { clearViewAs } from '../../session/view-as.ts';

/** Opens the requested page or the start page after sign-in. Clears everything read while signed out. */
export function useStartSession(): (session: Session) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  return async (session) => {
    clearViewAs();
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    if (next !== undefined) router.history.push(next);
    else await router.navigate(homeRoute(session));
  };
}

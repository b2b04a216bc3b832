import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { homeOf } from '../shell/home-of.ts';
import { sessionQuery, type Session } from '../shell/session.ts';
import { forgetViewing } from '../shell/viewing.ts';

/** Once signed in: on to where one wanted to be, or home. Nothing that was read before belongs to this person. */
export function useEnter(): (session: Session) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ strict: false });
  return async (session) => {
    forgetViewing();
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    if (next !== undefined) router.history.push(next);
    else await router.navigate(homeOf(session));
  };
}

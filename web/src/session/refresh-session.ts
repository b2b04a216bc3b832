import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

/** Reads the session again after the person or their permissions changed, and updates every open page. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await router.invalidate();
  };
}

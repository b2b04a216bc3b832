import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from './session.ts';

/** Who one is, or what one may do, has changed: every page that is open goes by it from then on. */
export function useRereadSession(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    await router.invalidate();
  };
}

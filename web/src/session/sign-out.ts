import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';
import { clearViewAs } from './view-as.ts';

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

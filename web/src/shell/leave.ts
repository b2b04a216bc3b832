import type { QueryClient } from '@tanstack/react-query';
import { sessionQuery } from './session.ts';
import { forgetViewing } from './viewing.ts';

/**
 * Nobody is signed in from here on. First the page goes, then what was read for it: a page that is still there would read
 * it again at once, and be refused again. Nothing of one person is left for the next at the same screen.
 */
export async function leave(client: QueryClient, go: () => Promise<unknown>): Promise<void> {
  forgetViewing();
  client.setQueryData(sessionQuery.queryKey, null);
  await go();
  client.clear();
}

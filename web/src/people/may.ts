import { useRouteContext } from '@tanstack/react-router';
import type { Scope } from './scopes.ts';

/** What the person may do in a store: buttons that would only be refused are not shown. The service decides all the same. */
export function useMay(store: string): (scope: Scope) => boolean {
  const { session } = useRouteContext({ from: '/inside' });
  const own = session.stores.find(({ id }) => id === store)?.permissions ?? [];
  return (scope) => session.is_operator || own.includes(scope);
}

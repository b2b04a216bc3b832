import { useRouteContext } from '@tanstack/react-router';
import type { Scope } from './scopes.ts';

/** The person's permissions in a store. Buttons that the service would reject are not shown; the service checks again. */
export function usePermission(store: string): (scope: Scope) => boolean {
  const { session } = useRouteContext({ from: '/signed-in' });
  const own = session.stores.find(({ id }) => id === store)?.permissions ?? [];
  return (scope) => session.is_operator || own.includes(scope);
}

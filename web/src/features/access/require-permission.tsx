import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/page.tsx';
import { usePermission } from './use-permission.ts';
import { storeScopes, type Scope } from './scopes.ts';

type RequirePermissionProps = { readonly store: string; readonly scope: Scope; readonly children: ReactNode };

/** Explains a missing permission when a page is opened by its URL, instead of a form that is rejected at the end. */
export function RequirePermission({ store, scope, children }: RequirePermissionProps) {
  if (usePermission(store)(scope)) return children;
  const [, words = scope] = storeScopes.find(([one]) => one === scope) ?? [];
  return (
    <EmptyState title="Your role does not allow this">
      It needs the permission “{words}”. Ask an owner of the store to do it, or to change your role.
    </EmptyState>
  );
}

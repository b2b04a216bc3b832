import type { ReactNode } from 'react';
import { Empty } from '../parts/page.tsx';
import { useMay } from './may.ts';
import { scopes, type Scope } from './scopes.ts';

type OnlyWithProps = { readonly store: string; readonly scope: Scope; readonly children: ReactNode };

/** A page that somebody may not use, reached by its address: said at once, instead of a form that would be refused when it is full. */
export function OnlyWith({ store, scope, children }: OnlyWithProps) {
  if (useMay(store)(scope)) return children;
  const [, words = scope] = scopes.find(([one]) => one === scope) ?? [];
  return (
    <Empty title="Your role does not allow this">
      It needs the permission “{words}”. Ask an owner of the store to do it, or to change your role.
    </Empty>
  );
}

import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/page.tsx';

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

/** The person's permissions in a store. Buttons that the service would reject are not shown; the service checks again. */
export function usePermission(store: string): (scope: Scope) => boolean {
  const { session } = useRouteContext({ from: '/signed-in' });
  const own = session.stores.find(({ id }) => id === store)?.permissions ?? [];
  return (scope) => session.is_operator || own.includes(scope);
}

/** The scopes of a store's keys and roles. */
export const storeScopes = [
  ['store:read', 'See everything of the store'],
  ['store:manage', 'Archive the store, change its name and site'],
  ['integration:write', 'Postback keys, webhooks, test links, the switch of the integration'],
  ['programs:write', 'Programs, terms, members and links'],
  ['commissions:review', 'Approve, reject, hold and release commissions'],
  ['billing:write', 'Payment methods'],
  ['team:write', 'Invite people, change roles, make API keys'],
] as const;

/** Extra scopes of an operator key in live mode. */
export const runScopes = [
  ['billing:run', 'Start billing runs'],
  ['payouts:run', 'Start payout runs'],
] as const;

export type Scope = (typeof storeScopes)[number][0];

/** The scopes of a creator's keys. */
export const creatorScopes = [
  ['creator:read', 'See everything the creator sees: sales, links, payouts, settings'],
  ['creator:write', 'Apply to programs, make links, change settings'],
] as const;

export const roles = [
  ['owner', 'Owner: everything'],
  ['finance', 'Finance: commissions and payment'],
  ['marketer', 'Marketer: programs, terms, creators, commissions'],
  ['developer', 'Developer: the integration'],
  ['viewer', 'Viewer: sees everything, changes nothing'],
] as const;

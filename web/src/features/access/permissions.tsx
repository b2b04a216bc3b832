import { useRouteContext } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/page.tsx';
import { t } from './messages.ts';

type RequirePermissionProps = { readonly store: string; readonly scope: Scope; readonly children: ReactNode };

/** Explains a missing permission when a page is opened by its URL, instead of a form that is rejected at the end. */
export function RequirePermission({ store, scope, children }: RequirePermissionProps) {
  if (usePermission(store)(scope)) return children;
  const [, words = scope] = storeScopes.find(([one]) => one === scope) ?? [];
  return (
    <EmptyState title={t.permissions.your_role_doesnt_allow_this}>{t.permissions.this_requires_the_permission_ask({ words })}</EmptyState>
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
  ['store:read', t.permissions.view_everything_in_the_store],
  ['store:manage', t.permissions.archive_the_store_change_its],
  ['integration:write', t.permissions.manage_postback_keys_webhooks_test],
  ['programs:write', t.permissions.manage_programs_terms_members_and],
  ['commissions:review', t.permissions.approve_reject_hold_and_release],
  ['billing:write', t.permissions.manage_payment_methods],
  ['team:write', t.permissions.invite_people_change_roles_create],
] as const;

/** Extra scopes of an operator key in live mode. */
export const runScopes = [
  ['billing:run', t.permissions.start_billing_runs],
  ['payouts:run', t.permissions.start_payout_runs],
] as const;

export type Scope = (typeof storeScopes)[number][0];

/** The scopes of a creator's keys. */
export const creatorScopes = [
  ['creator:read', t.permissions.view_everything_the_creator_sees],
  ['creator:write', t.permissions.apply_to_programs_create_links],
] as const;

export const roles = [
  ['owner', t.permissions.owner_everything],
  ['finance', t.permissions.finance_commissions_and_payment],
  ['marketer', t.permissions.marketer_programs_terms_creators],
  ['developer', t.permissions.developer_the_integration],
  ['viewer', t.permissions.viewer_read_only_access_to],
] as const;

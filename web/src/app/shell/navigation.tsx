import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import { disputeList } from '../../features/disputes/disputes-api.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import styles from './sidebar.module.css';

/** The navigation of each area. A new page gets its line here. */
export function StoreNavigation({ store }: { readonly store: string }) {
  const params = { store };
  return (
    <>
      <NavigationLink icon="home" label="Home" to="/stores/$store" params={params} exact />
      <NavigationLink icon="coins" label="Conversions" to="/stores/$store/conversions" params={params} />
      <DisputesLink store={store} />
      <NavigationLink icon="repeat" label="Subscriptions" to="/stores/$store/subscriptions" params={params} />
      <NavigationLink icon="pulse" label="Tracking log" to="/stores/$store/tracking-log" params={params} />
      <NavigationLink icon="plug" label="Integration" to="/stores/$store/integration" params={params} />
      <NavigationLink icon="program" label="Programs" to="/stores/$store/programs" params={params} />
      <NavigationLink icon="person" label="Creators" to="/stores/$store/creators" params={params} />
      <NavigationLink icon="invoice" label="Billing" to="/stores/$store/billing" params={params} />
      <NavigationLink icon="book" label="Statement" to="/stores/$store/statement" params={params} />
      <NavigationLink icon="people" label="Team" to="/stores/$store/team" params={params} />
      <NavigationLink icon="key" label="API keys" to="/stores/$store/api-keys" params={params} />
      <NavigationLink icon="send" label="Webhooks" to="/stores/$store/webhooks" params={params} />
      <NavigationLink icon="log" label="Audit log" to="/stores/$store/audit-log" params={params} />
      <NavigationLink icon="mail" label="Mails" to="/stores/$store/mails" params={params} />
      <NavigationLink icon="shield" label="Customer data" to="/stores/$store/customer-data" params={params} />
      <NavigationLink icon="settings" label="Settings" to="/stores/$store/settings" params={params} />
    </>
  );
}

/** Disputes are rare: the link is shown while one is open, and on the disputes page itself. */
function DisputesLink({ store }: { readonly store: string }) {
  const open = useQuery(apiQuery(disputeList(store, { state: 'open', limit: 1 })));
  const isThere = useRouterState({ select: ({ location }) => location.pathname === apiPath('/stores/{store}/disputes', { store }) });
  if (!isThere && (open.data?.data.length ?? 0) === 0) return null;
  return <NavigationLink icon="alert" label="Disputes" to="/stores/$store/disputes" params={{ store }} />;
}

export function CreatorNavigation() {
  return (
    <>
      <NavigationLink icon="home" label="Home" to="/creator" exact />
      <NavigationLink icon="program" label="Programs" to="/creator/programs" />
      <NavigationLink icon="link" label="Links" to="/creator/links" />
      <NavigationLink icon="coins" label="Sales" to="/creator/sales" />
      <NavigationLink icon="alert" label="Refused orders" to="/creator/refused-orders" />
      <NavigationLink icon="repeat" label="Subscriptions" to="/creator/subscriptions" />
      <NavigationLink icon="invoice" label="Payouts" to="/creator/payouts" />
      <NavigationLink icon="book" label="Statement" to="/creator/statement" />
      <NavigationLink icon="key" label="API keys" to="/creator/api-keys" />
      <NavigationLink icon="settings" label="Settings" to="/creator/settings" />
    </>
  );
}

export function AccountNavigation() {
  return (
    <>
      <NavigationLink icon="store" label="My stores" to="/stores" exact />
      <NavigationLink icon="person" label="My account" to="/account" />
    </>
  );
}

type NavigationLinkProps = LinkProps & { readonly icon: IconName; readonly label: string; readonly exact?: boolean };

export function NavigationLink({ icon, label, exact = false, ...link }: NavigationLinkProps) {
  return (
    <Link {...link} className={styles.link} activeOptions={{ exact }}>
      <Icon name={icon} />
      {label}
    </Link>
  );
}

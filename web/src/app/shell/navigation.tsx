import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import { disputeList } from '../../features/disputes/disputes-api.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { apiQuery } from '../../ui/queries.ts';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

/** The navigation of each area. A new page gets its line here. */
export function StoreNavigation({ store }: { readonly store: string }) {
  const params = { store };
  return (
    <>
      <NavigationLink icon="home" label={t.navigation.home} to="/stores/$store" params={params} exact />
      <NavigationLink icon="coins" label={t.navigation.conversions} to="/stores/$store/conversions" params={params} />
      <DisputesLink store={store} />
      <NavigationLink icon="repeat" label={t.navigation.subscriptions} to="/stores/$store/subscriptions" params={params} />
      <NavigationLink icon="pulse" label={t.navigation.tracking_log} to="/stores/$store/tracking-log" params={params} />
      <NavigationLink icon="plug" label={t.navigation.integration} to="/stores/$store/integration" params={params} />
      <NavigationLink icon="program" label={t.navigation.programs} to="/stores/$store/programs" params={params} />
      <NavigationLink icon="person" label={t.navigation.creators} to="/stores/$store/creators" params={params} />
      <NavigationLink icon="invoice" label={t.navigation.billing} to="/stores/$store/billing" params={params} />
      <NavigationLink icon="book" label={t.navigation.statement} to="/stores/$store/statement" params={params} />
      <NavigationLink icon="people" label={t.navigation.team} to="/stores/$store/team" params={params} />
      <NavigationLink icon="key" label={t.navigation.api_keys} to="/stores/$store/api-keys" params={params} />
      <NavigationLink icon="send" label={t.navigation.webhooks} to="/stores/$store/webhooks" params={params} />
      <NavigationLink icon="log" label={t.navigation.audit_log} to="/stores/$store/audit-log" params={params} />
      <NavigationLink icon="mail" label={t.navigation.emails} to="/stores/$store/mails" params={params} />
      <NavigationLink icon="shield" label={t.navigation.customer_data} to="/stores/$store/customer-data" params={params} />
      <NavigationLink icon="settings" label={t.navigation.settings} to="/stores/$store/settings" params={params} />
    </>
  );
}

/** Disputes are rare: the link is shown while one is open, and on the disputes page itself. */
function DisputesLink({ store }: { readonly store: string }) {
  const open = useQuery(apiQuery(disputeList(store, { state: 'open', limit: 1 })));
  const isThere = useRouterState({ select: ({ location }) => location.pathname === apiPath('/stores/{store}/disputes', { store }) });
  if (!isThere && (open.data?.data.length ?? 0) === 0) return null;
  return <NavigationLink icon="alert" label={t.navigation.disputes} to="/stores/$store/disputes" params={{ store }} />;
}

export function CreatorNavigation() {
  return (
    <>
      <NavigationLink icon="home" label={t.navigation.home} to="/creator" exact />
      <NavigationLink icon="program" label={t.navigation.programs} to="/creator/programs" />
      <NavigationLink icon="link" label={t.navigation.links} to="/creator/links" />
      <NavigationLink icon="coins" label={t.navigation.sales} to="/creator/sales" />
      <NavigationLink icon="alert" label={t.navigation.ineligible_orders} to="/creator/refused-orders" />
      <NavigationLink icon="repeat" label={t.navigation.subscriptions} to="/creator/subscriptions" />
      <NavigationLink icon="invoice" label={t.navigation.payouts} to="/creator/payouts" />
      <NavigationLink icon="book" label={t.navigation.statement} to="/creator/statement" />
      <NavigationLink icon="key" label={t.navigation.api_keys} to="/creator/api-keys" />
      <NavigationLink icon="settings" label={t.navigation.settings} to="/creator/settings" />
    </>
  );
}

export function AccountNavigation() {
  return (
    <>
      <NavigationLink icon="store" label={t.navigation.my_stores} to="/stores" exact />
      <NavigationLink icon="person" label={t.navigation.my_account} to="/account" />
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

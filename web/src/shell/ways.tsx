import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState, type LinkProps } from '@tanstack/react-router';
import type { Page } from '../api.ts';
import { disputeList, type Dispute } from '../merchant/disputes-api.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { reading } from '../parts/reading.ts';
import styles from './sidebar.module.css';

/** The ways around each area. A new page of an area gets its line here. */
export function StoreWays({ store }: { readonly store: string }) {
  const params = { store };
  return (
    <>
      <Way icon="home" label="Home" to="/stores/$store" params={params} exact />
      <Way icon="coins" label="Conversions" to="/stores/$store/conversions" params={params} />
      <DisputesWay store={store} />
      <Way icon="repeat" label="Subscriptions" to="/stores/$store/subscriptions" params={params} />
      <Way icon="pulse" label="Tracking log" to="/stores/$store/tracking-log" params={params} />
      <Way icon="plug" label="Integration" to="/stores/$store/integration" params={params} />
      <Way icon="program" label="Programs" to="/stores/$store/programs" params={params} />
      <Way icon="person" label="Creators" to="/stores/$store/creators" params={params} />
      <Way icon="bill" label="Billing" to="/stores/$store/billing" params={params} />
      <Way icon="book" label="Statement" to="/stores/$store/statement" params={params} />
      <Way icon="people" label="Team" to="/stores/$store/team" params={params} />
      <Way icon="key" label="API keys" to="/stores/$store/api-keys" params={params} />
      <Way icon="send" label="Webhooks" to="/stores/$store/webhooks" params={params} />
      <Way icon="log" label="Audit log" to="/stores/$store/audit-log" params={params} />
      <Way icon="mail" label="Mails" to="/stores/$store/mails" params={params} />
      <Way icon="shield" label="Customer data" to="/stores/$store/customer-data" params={params} />
      <Way icon="settings" label="Settings" to="/stores/$store/settings" params={params} />
    </>
  );
}

/** Disputes are rare: their way is there while one is open, and while somebody reads the answered ones. */
function DisputesWay({ store }: { readonly store: string }) {
  const open = useQuery(reading<Page<Dispute>>(disputeList(store, { state: 'open', limit: 1 })));
  const isThere = useRouterState({ select: ({ location }) => location.pathname === `/stores/${store}/disputes` });
  if (!isThere && (open.data?.data.length ?? 0) === 0) return null;
  return <Way icon="alert" label="Disputes" to="/stores/$store/disputes" params={{ store }} />;
}

export function CreatorWays() {
  return (
    <>
      <Way icon="home" label="Home" to="/creator" exact />
      <Way icon="program" label="Programs" to="/creator/programs" />
      <Way icon="link" label="Links" to="/creator/links" />
      <Way icon="coins" label="Sales" to="/creator/sales" />
      <Way icon="alert" label="Refused orders" to="/creator/refused-orders" />
      <Way icon="repeat" label="Subscriptions" to="/creator/subscriptions" />
      <Way icon="bill" label="Payouts" to="/creator/payouts" />
      <Way icon="book" label="Statement" to="/creator/statement" />
      <Way icon="key" label="API keys" to="/creator/api-keys" />
      <Way icon="settings" label="Settings" to="/creator/settings" />
    </>
  );
}

export function OwnWays() {
  return (
    <>
      <Way icon="store" label="My stores" to="/stores" exact />
      <Way icon="person" label="My account" to="/account" />
    </>
  );
}

type WayProps = LinkProps & { readonly icon: IconName; readonly label: string; readonly exact?: boolean };

export function Way({ icon, label, exact = false, ...link }: WayProps) {
  return (
    <Link {...link} className={styles.way} activeOptions={{ exact }}>
      <Icon name={icon} />
      {label}
    </Link>
  );
}

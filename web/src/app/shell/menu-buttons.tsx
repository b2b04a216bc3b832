import { useQuery } from '@tanstack/react-query';
import { useParams, useRouteContext, useRouterState } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { storeQuery } from '../../features/stores/stores-api.ts';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

export type MenuButtonProps = ComponentProps<'button'>;

export function PersonButton(props: MenuButtonProps) {
  const { session } = useRouteContext({ from: '/signed-in' });
  return (
    <button type="button" {...props} className={styles.person}>
      <Icon name="person" />
      <span className={styles.label}>
        <span className={styles.primaryText}>{session.name}</span>
        <span className={styles.secondaryText}>{session.email}</span>
      </span>
    </button>
  );
}

export const AreaButton = (props: MenuButtonProps) => (
  <button type="button" {...props} className={styles.area}>
    <AreaName />
    <Icon name="down" size={16} />
  </button>
);

function AreaName() {
  const { store } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (store !== undefined) return <StoreName store={store} />;
  if (path.startsWith('/operator')) return <TwoLineLabel first={t.area_menu.operator} second={t.area_menu.entire_service} />;
  if (path.startsWith('/creator')) return <TwoLineLabel first={t.area_menu.creator} second={t.area_menu.creator_portal_2} />;
  return <TwoLineLabel first={t.area_menu.my_account} second={t.area_menu.stores_and_account} />;
}

function StoreName({ store }: { readonly store: string }) {
  const { data } = useQuery(storeQuery(store));
  return <TwoLineLabel first={data?.name ?? t.area_menu.store} second={data === undefined ? '…' : new URL(data.site_url).host} />;
}

export function TwoLineLabel({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <span className={styles.label}>
      <span className={styles.primaryText}>{first}</span>
      <span className={styles.secondaryText}>{second}</span>
    </span>
  );
}

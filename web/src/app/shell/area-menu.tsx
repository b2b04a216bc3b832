import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext, useRouterState } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { newestStoresQuery, storeQuery } from '../../features/stores/stores-api.ts';
import type { Session } from '../../session/session.ts';
import styles from './sidebar.module.css';
import { t } from '../messages.ts';

const storesShownMax = 8;

/** Shows the current area and links to the others. */
export function AreaMenu() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const { viewAs: viewed } = session;
  if (viewed !== undefined)
    return <div className={styles.viewedAccount} children={<TwoLineLabel first={viewed.name} second={t.area_menu.read_only} />} />;
  return <AreaSwitcher session={session} />;
}

function AreaSwitcher({ session }: { readonly session: Session }) {
  const navigate = useNavigate();
  const { store } = useParams({ strict: false });
  const shown = useQuery(newestStoresQuery(storesShownMax)).data?.data ?? [];
  return (
    <Menu width={260} position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.area}>
          <AreaName />
          <Icon name="down" size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.length > 0 && <Menu.Label>{t.area_menu.stores}</Menu.Label>}
        {shown.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={<Icon name="store" />}
            rightSection={id === store && <Icon name="check" size={16} />}
            onClick={() => void navigate({ to: '/stores/$store', params: { store: id } })}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Icon name="right" />} onClick={() => void navigate({ to: '/stores' })}>
          {t.area_menu.all_my_stores}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => void navigate({ to: '/creator' })}>
          {t.area_menu.creator_portal}
        </Menu.Item>
        {session.is_operator && (
          <Menu.Item leftSection={<Icon name="shield" />} onClick={() => void navigate({ to: '/operator' })}>
            {t.area_menu.operator_console}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

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

function TwoLineLabel({ first, second }: { readonly first: string; readonly second: string }) {
  return (
    <span className={styles.label}>
      <span className={styles.primaryText}>{first}</span>
      <span className={styles.secondaryText}>{second}</span>
    </span>
  );
}

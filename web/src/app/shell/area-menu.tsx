import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.tsx';
import { newestStoresQuery } from '../../features/stores/stores-api.ts';
import { AreaButton } from './menu-buttons.tsx';
import { t } from '../messages.ts';

const storesShownMax = 8;

/** Links to the areas and stores. Opens when it is mounted, because it loads when its button is pressed. */
export function AreaMenu() {
  const { session } = useRouteContext({ from: '/signed-in' });
  const navigate = useNavigate();
  const { store } = useParams({ strict: false });
  const shown = useQuery(newestStoresQuery(storesShownMax)).data?.data ?? [];
  return (
    <Menu width={260} position="bottom-start" defaultOpened>
      <Menu.Target>
        <AreaButton />
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

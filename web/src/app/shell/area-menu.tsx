import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouteContext } from '@tanstack/react-router';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
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
    <Menu placement="bottom-start" button={AreaButton}>
      {shown.length > 0 && <MenuLabel>{t.area_menu.stores}</MenuLabel>}
      {shown.map(({ id, name }) => (
        <MenuItem
          key={id}
          icon="store"
          isCurrent={id === store}
          onClick={() => void navigate({ to: '/stores/$store', params: { store: id } })}
        >
          {name}
        </MenuItem>
      ))}
      <MenuItem icon="right" onClick={() => void navigate({ to: '/stores' })}>
        {t.area_menu.all_my_stores}
      </MenuItem>
      <MenuItem icon="person" onClick={() => void navigate({ to: '/creator' })}>
        {t.area_menu.creator_portal}
      </MenuItem>
      {session.is_operator && (
        <MenuItem icon="shield" onClick={() => void navigate({ to: '/operator' })}>
          {t.area_menu.operator_console}
        </MenuItem>
      )}
    </Menu>
  );
}

import { Menu, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouteContext, useRouter } from '@tanstack/react-router';
import { api } from '../api.ts';
import { Icon } from '../parts/icons.tsx';
import styles from './sidebar.module.css';

const schemes = [
  { scheme: 'auto', label: 'As the system', icon: 'screen' },
  { scheme: 'light', label: 'Light', icon: 'sun' },
  { scheme: 'dark', label: 'Dark', icon: 'moon' },
] as const;

export function PersonMenu() {
  const { session } = useRouteContext({ from: '/inside' });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu width={220} position="top-start">
      <Menu.Target>
        <button type="button" className={styles.person}>
          <Icon name="person" />
          <span className={styles.who}>
            <span className={styles.first}>{session.name}</span>
            <span className={styles.second}>{session.email}</span>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => void navigate({ to: '/account' })}>
          My account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {schemes.map(({ scheme, label, icon }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={<Icon name={icon} />}
            rightSection={colorScheme === scheme && <Icon name="check" size={16} />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSignOut(): () => void {
  const client = useQueryClient();
  const router = useRouter();
  const signOut = async () => {
    try {
      await api.delete('/session');
    } finally {
      // Nothing of one person may be seen by the next at the same screen.
      client.clear();
      await router.navigate({ to: '/sign-in' });
    }
  };
  return () => void signOut();
}

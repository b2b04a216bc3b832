import { isLanguage, languageNames, languages } from '../../../../locales/languages.ts';
import { isTranslated } from '../../messages/language.ts';
import { language } from '../../messages/messages.ts';
import { useChooseLanguage } from '../../session/language.ts';
import { Menu, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { notifications } from '@mantine/notifications';
import { api, ApiError } from '../../api/client.ts';
import { Icon } from '../../ui/icons.tsx';
import { errorText } from '../../ui/error-alert.tsx';
import { clearSession } from '../../session/session.ts';
import { PersonButton } from './menu-buttons.tsx';
import { t } from '../messages.ts';
import styles from './account-menu.module.css';

const schemes = [
  ['auto', t.account_menu.system],
  ['light', t.account_menu.light],
  ['dark', t.account_menu.dark],
] as const;

/** Opens when it is mounted, because it loads when its button is pressed. */
export function AccountMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <Menu width={290} position="top-start" defaultOpened>
      <Menu.Target>
        <PersonButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="person" />} onClick={() => void navigate({ to: '/account' })}>
          {t.account_menu.my_account}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="book" />} component="a" href="/docs/guides">
          {t.account_menu.guides}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t.account_menu.theme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(chosen) => setColorScheme(schemes.find(([scheme]) => scheme === chosen)?.[0] ?? 'auto')}
        >
          {schemes.map(([scheme, label]) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        {isTranslated(path) && <LanguageMenu />}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="sign-out" />} onClick={signOut}>
          {t.account_menu.sign_out}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Only on pages that have translations. */
function LanguageMenu() {
  const chooseLanguage = useChooseLanguage();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t.account_menu.language}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(chosen) => isLanguage(chosen) && void chooseLanguage(chosen)}>
        <div className={styles.languages}>
          {languages.map((one) => (
            <Menu.RadioItem key={one} value={one} lang={one}>
              {languageNames[one]}
            </Menu.RadioItem>
          ))}
        </div>
      </Menu.RadioGroup>
    </>
  );
}

function useSignOut(): () => void {
  const client = useQueryClient();
  const router = useRouter();
  const signOut = async () => {
    try {
      await api.delete('/session');
    } catch (error) {
      // The session already ended in another window, which is the wanted result. For any other error the person must know that they are
      // still signed in.
      if (!(error instanceof ApiError)) throw error;
      if (error.reason !== 'not_signed_in')
        return notifications.show({ color: 'red', title: t.account_menu.couldnt_sign_out, message: errorText(error) });
    }
    return clearSession(client, () => router.navigate({ to: '/sign-in' }));
  };
  return () => void signOut();
}

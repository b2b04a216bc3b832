import { languageNames, languages } from '../../../../locales/languages.ts';
import { isTranslated } from '../../messages/language.ts';
import { language } from '../../messages/messages.ts';
import { useChooseLanguage } from '../../session/language.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { toasts } from '../../ui/toasts.ts';
import { api, ApiError } from '../../api/client.ts';
import { chooseColorScheme, useChosenColorScheme } from '../../ui/color-scheme.ts';
import { Menu, MenuChoice, MenuDivider, MenuItem, MenuLink } from '../../ui/menu.tsx';
import { errorText } from '../../ui/error-alert.tsx';
import { clearSession } from '../../session/session.ts';
import { PersonButton } from './menu-buttons.tsx';
import { t } from '../messages.ts';

const schemes = [
  ['auto', t.account_menu.system],
  ['light', t.account_menu.light],
  ['dark', t.account_menu.dark],
] as const;

/** Opens when it is mounted, because it loads when its button is pressed. */
export function AccountMenu() {
  const scheme = useChosenColorScheme();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <Menu placement="top-start" button={PersonButton}>
      <MenuItem icon="person" onClick={() => void navigate({ to: '/account' })}>
        {t.account_menu.my_account}
      </MenuItem>
      <MenuLink icon="book" href="/docs/guides">
        {t.account_menu.guides}
      </MenuLink>
      <MenuDivider />
      <MenuChoice label={t.account_menu.theme} value={scheme} options={schemes} onChange={chooseColorScheme} />
      {isTranslated(path) && <LanguageMenu />}
      <MenuDivider />
      <MenuItem icon="sign-out" onClick={signOut}>
        {t.account_menu.sign_out}
      </MenuItem>
    </Menu>
  );
}

const languageOptions = languages.map((one) => [one, languageNames[one]] as const);

/** Only on pages that have translations. In two columns, so that the menu is not higher than a small screen. */
function LanguageMenu() {
  const chooseLanguage = useChooseLanguage();
  return (
    <>
      <MenuDivider />
      <MenuChoice
        label={t.account_menu.language}
        value={language}
        options={languageOptions}
        onChange={(chosen) => void chooseLanguage(chosen)}
        langOf={(one) => one}
        inColumns
      />
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
        return toasts.show({ color: 'red', title: t.account_menu.couldnt_sign_out, message: errorText(error) });
    }
    return clearSession(client, () => router.navigate({ to: '/sign-in' }));
  };
  return () => void signOut();
}

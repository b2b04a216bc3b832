import { useQueryClient } from '@tanstack/react-query';
import { type Language } from '../../../locales/languages.ts';
import { api } from '../api/client.ts';
import { languageOfPath, storeChosenLanguage, storeProfileLanguage } from '../messages/language.ts';
import { language } from '../messages/messages.ts';
import { sessionQuery, type Session } from './session.ts';

/** Stores the chosen language, in the profile too when someone is signed in, and loads the page again. */
export function useChooseLanguage(): (chosen: Language) => Promise<void> {
  const client = useQueryClient();
  return async (chosen) => {
    storeChosenLanguage(chosen);
    const session = client.getQueryData(sessionQuery.queryKey);
    // The choice on this device applies even when the profile could not be saved.
    if (session && session.viewAs === undefined) await api.patch('/profile', { language: chosen }).catch(() => undefined);
    location.reload();
  };
}

/** Uses the language of a profile on a device without a choice. Without storage the same language is wanted again, so nothing reloads. */
export async function adoptProfileLanguage(session: Session, path: string): Promise<void> {
  if (session.language === null || session.viewAs !== undefined) return;
  storeProfileLanguage(session.language);
  await reloadInLanguageOf(path);
}

/** Texts are chosen once for each load, so a page in another language is loaded anew. Nothing else happens until it is. */
export async function reloadInLanguageOf(path: string): Promise<void> {
  if (languageOfPath(path) === language) return;
  location.reload();
  await new Promise(() => {});
}

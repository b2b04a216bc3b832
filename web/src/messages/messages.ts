import loaders from 'messages:languages';
import { defaultLanguage, type Language } from '../../../locales/languages.ts';
import { createFormats, type MessageFormats } from '../../../locales/message-formats.ts';
import { languageOfPath } from './language.ts';

export type CreateMessages<Messages> = (formats: MessageFormats) => Messages;
type Catalogs = Readonly<Record<string, CreateMessages<unknown>>>;

/** The language of this page, until the next one is loaded. */
export const language: Language = pageLanguage();
export const formats = createFormats(language);

/** English is part of each page, so that it needs no further request. */
const translations: Catalogs = language === 'en' ? {} : await loadTranslations(language);

/** Unit tests run without a page. */
function pageLanguage(): Language {
  if (typeof document === 'undefined') return defaultLanguage;
  const wanted = languageOfPath(location.pathname);
  document.documentElement.lang = wanted;
  return wanted;
}

/** Without its translations a page is better in English than not at all. */
async function loadTranslations(wanted: keyof typeof loaders): Promise<Catalogs> {
  try {
    return (await loaders[wanted]()).default;
  } catch {
    return {};
  }
}

/** The messages of an area in the language of this page. `npm run message-types` generates their types from the English catalog. */
export function messagesOf<Messages>(area: string, createEnglish: CreateMessages<Messages>): Messages {
  // test/messages compares every catalog with the English one.
  // oxlint-disable-next-line typescript/consistent-type-assertions
  const create = (translations[area] as CreateMessages<Messages> | undefined) ?? createEnglish;
  return create(formats);
}

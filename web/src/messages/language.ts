import { defaultLanguage, isLanguage, negotiateLanguage, type Language } from '../../../locales/languages.ts';

const storageKey = 'language';
/** Marks a language that the visitor chose on this device. It outranks the language of their profile. */
const choiceKey = 'language-chosen';

/** Pages for merchants, operators, and developers are in English. */
const translatedPages =
  /^\/(?:creator(?!\/api-keys(?:\/|$))|account|second-factor|sign-in|sign-up|forgot-password|link|p|programs)(?:\/|$)|^\/$/;
export const isTranslated = (path: string): boolean => translatedPages.test(path);

export const languageOfPath = (path: string): Language => (isTranslated(path) ? preferredLanguage() : defaultLanguage);

/** The stored language, or the first one of the browser that the product has. */
export function preferredLanguage(): Language {
  const stored = readStored(storageKey);
  return stored !== null && isLanguage(stored) ? stored : negotiateLanguage(navigator.languages.join(','));
}

/** Takes effect when a page is loaded: text is chosen once, when its module runs. */
export function storeChosenLanguage(language: Language): void {
  store(storageKey, language);
  store(choiceKey, 'yes');
}

/** Stores the language of the person's profile, unless they chose another one on this device. */
export function storeProfileLanguage(language: Language): void {
  if (readStored(choiceKey) === null) store(storageKey, language);
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the browser's languages decide.
  }
}

function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

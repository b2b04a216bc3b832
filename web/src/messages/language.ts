import { isLanguage, negotiateLanguage, type Language } from '../../../locales/languages.ts';

const storageKey = 'language';

/** Pages for merchants and operators are in English. */
const translatedPages = /^\/(?:creator|account|second-factor|sign-in|sign-up|forgot-password|link|p|programs)(?:\/|$)|^\/$/;
export const isTranslated = (path: string): boolean => translatedPages.test(path);

/** The language that the visitor chose, or the first one of the browser that the product has. */
export function preferredLanguage(): Language {
  const stored = readStored();
  return stored !== null && isLanguage(stored) ? stored : negotiateLanguage(navigator.languages.join(','));
}

/** Takes effect when a page is loaded: text is chosen once, when its module runs. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // Without storage, the browser's languages decide.
  }
}

function readStored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

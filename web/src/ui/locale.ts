const fallback = 'en-US';

/**
 * The browser's language, or American English when `Intl` rejects it. Chromium on Linux reports the process locale (`en-US@posix`),
 * which is not a BCP 47 tag and makes `Intl` throw a RangeError.
 */
export function usableLocale(tag: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * The chart library passes `navigator.language` to `Intl` when it loads. Called once at start, before any code can read an unusable
 * tag.
 */
export function ensureUsableLanguage(browser: Navigator = navigator): void {
  const language = usableLocale(browser.language);
  if (language !== browser.language) Object.defineProperty(browser, 'language', { configurable: true, get: () => language });
}

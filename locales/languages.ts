/** Each has one catalog per area: `locales/<language>/<area>.json`. Pages for merchants and operators are in English only. */
export const languages = ['en', 'de', 'es', 'fr', 'pt-BR', 'ja'] as const;
export type Language = (typeof languages)[number];
/** Each in its own language, so that its speakers find it. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
};
/** What creators, visitors, and recipients of emails read. */
export const translatedAreas = ['emails', 'program-page', 'common', 'shell', 'sign-in', 'portal', 'account', 'api-explanations'] as const;
/** What the service formats itself; the dashboards do not contain it. */
export const serviceAreas: readonly string[] = ['emails', 'program-page', 'api-explanations'];
export const defaultLanguage = 'en' satisfies Language;

const headerLengthMax = 500;

/** The supported language that an Accept-Language header prefers: `de-AT` is served German. */
export function negotiateLanguage(acceptLanguage: string): Language {
  const ranges = acceptLanguage.slice(0, headerLengthMax).split(',').map(readRange);
  // The sort is stable, so ranges of one weight keep the order of the header.
  const accepted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { base } of accepted) {
    const match = languages.find((language) => baseOf(language) === base);
    if (match !== undefined) return match;
  }
  return defaultLanguage;
}

function readRange(range: string): { readonly base: string; readonly weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
  const weight = quality === undefined ? 1 : Number(quality);
  return { base: baseOf(tag), weight: Number.isFinite(weight) ? weight : 0 };
}

const baseOf = (tag: string): string => (tag.split('-')[0] ?? '').toLowerCase();

export const isLanguage = (text: string): text is Language => languages.some((language) => language === text);

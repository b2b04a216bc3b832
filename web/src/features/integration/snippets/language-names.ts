/** The languages of the order snippet, separate from the snippets so that a page can list them without loading them. */
export const languageNames = ['curl', 'Node', 'Python', 'PHP', 'Ruby', 'Go'] as const;
export type LanguageName = (typeof languageNames)[number];

/** The values inserted into a snippet. */
export type SnippetValues = {
  /** The postback URL with the tracking key, without a trailing slash. */
  readonly postbacksUrl: string;
  /** The postback key while the page knows it. Null: the developer inserts it. */
  readonly key: string | null;
  /** The click ID of an active test link; null when there is none. */
  readonly clickId: string | null;
};

export const keyOf = ({ key }: SnippetValues): string => key ?? 'pbk_…';
export const clickIdOf = ({ clickId }: SnippetValues): string => clickId ?? 'rmv_…';

/** The languages of the order snippet, separate from the snippets so that a page can list them without loading them. */
export const languageNames = ['curl', 'Node', 'Python', 'PHP', 'Ruby', 'Go'] as const;
export type LanguageName = (typeof languageNames)[number];

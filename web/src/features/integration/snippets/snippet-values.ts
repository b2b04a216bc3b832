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

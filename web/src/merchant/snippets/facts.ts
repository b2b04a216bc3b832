/** What a snippet is filled with. */
export type SnippetFacts = {
  /** Where this store's reports are sent: the address with its tracking key, without a slash at its end. */
  readonly postbacksUrl: string;
  /** The postback key, as long as the page knows it; null: whoever runs the snippet has it. */
  readonly key: string | null;
  /** The click of an open test link; null where there is none. */
  readonly clickId: string | null;
};

export const keyIn = ({ key }: SnippetFacts): string => key ?? 'pbk_…';
export const clickIn = ({ clickId }: SnippetFacts): string => clickId ?? 'rmv_…';

import type { FoundTag, PageFinding } from '../capture/inspect-page.ts';

/** The stored result of a page check. */
export type PageResult = {
  readonly isWorking: boolean;
  /** Null if the server did not respond. */
  readonly status: number | null;
  /** The URL after redirects. */
  readonly endedAt: string;
  readonly tag: FoundTag | null;
  readonly contentSecurityPolicy: string | null;
  readonly findings: ReadonlyArray<{ readonly level: PageFinding['level']; readonly code: string; readonly message: string }>;
};

export type PageCheck = { readonly at: Date; readonly pageUrl: string; readonly found: PageResult };

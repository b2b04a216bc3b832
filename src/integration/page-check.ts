import type { FoundTag, PageFinding } from '../capture/inspect-page.ts';

/** What our server saw of a landing page, as it is kept. */
export type PageFound = {
  readonly isWorking: boolean;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Where the redirects ended. */
  readonly endedAt: string;
  readonly tag: FoundTag | null;
  readonly contentSecurityPolicy: string | null;
  readonly findings: ReadonlyArray<{ readonly level: PageFinding['level']; readonly code: string; readonly message: string }>;
};

export type PageCheck = { readonly at: Date; readonly pageUrl: string; readonly found: PageFound };

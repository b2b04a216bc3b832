import type { Page } from '../../api/client.ts';
import { apiQuery } from '../../ui/queries.ts';

export type IntegrationCheckName = 'key_used' | 'tag_found' | 'link_opened' | 'test_order' | 'tracking_on' | 'refund_tested';
export type IntegrationCheck = {
  readonly light: IntegrationCheckName;
  readonly is_on: boolean;
  readonly seen: string;
  readonly at: string | null;
};

export type PageFinding = { readonly level: 'error' | 'warning'; readonly code: string; readonly message: string };
export type PageCheck = {
  readonly at: string;
  readonly page_url: string;
  readonly is_working: boolean;
  readonly status: number | null;
  readonly ended_at: string;
  readonly tag: {
    readonly is_in_head: boolean;
    readonly loads: string;
    readonly consent_mode: string;
    readonly max_age_days: number;
    readonly attributes: Readonly<Record<string, string>>;
  } | null;
  readonly content_security_policy: string | null;
  readonly findings: readonly PageFinding[];
};

export type IntegrationState = {
  readonly lights: readonly IntegrationCheck[];
  readonly page_check: PageCheck | null;
  readonly go_live: ReadonlyArray<{ readonly item: string; readonly is_done: boolean; readonly text: string }>;
  readonly is_ready: boolean;
  readonly script: { readonly url: string; readonly immutable_url: string; readonly integrity: string };
};

export type TestLink = {
  readonly id: string;
  readonly url: string;
  readonly open_url: string;
  readonly click_id: string;
  readonly expires_at: string;
  readonly opened_at: string | null;
};

export type LintError = { readonly reason: string; readonly status: number; readonly field: string | null; readonly message: string };
export type LintResponse = { readonly status: number; readonly reason: string; readonly explanation: string; readonly body: object };
export type LintResult = {
  readonly operation: string | null;
  readonly faults: readonly LintError[];
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly field: string | null; readonly message: string }>;
  readonly answer: LintResponse | null;
  readonly corrected: {
    readonly body: string;
    readonly changes: ReadonlyArray<{ readonly field: string; readonly message: string }>;
    readonly faults: readonly LintError[];
    readonly answer: LintResponse | null;
  } | null;
};

export const integrationPath = (store: string) => `/stores/${store}/integration`;
export const integrationQuery = (store: string) => apiQuery<IntegrationState>(integrationPath(store));
export const testLinksPath = (store: string) => `/stores/${store}/test-links`;
export const testLinksQuery = (store: string) => apiQuery<Page<TestLink>>(testLinksPath(store));

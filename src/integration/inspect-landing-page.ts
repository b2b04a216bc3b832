import { findLostClick } from '../capture/inspect-page.ts';
import type { PageInspector } from '../capture/page-inspector.ts';
import { withClick, withoutClick } from '../clicks/landing-url.ts';
import { sendOutgoing } from '../http/outgoing-request.ts';
import type { Platform } from '../runtime/platform.ts';
import { secondMs } from '../core/time.ts';
import type { PageResult } from './page-check.ts';
import { apiMessage } from '../messages/api-message.ts';

const timeoutMs = 10 * secondMs;
const pageBytesMax = 2_000_000;
const redirectsMax = 10;
const policyLengthMax = 2_000;
/** Has the format of a click ID, but is not genuine, so it never counts. */
const probe = `rmv_${'0'.repeat(43)}`;

type Looking = Pick<Platform, 'config'> & { readonly inspector: PageInspector };

/** Fetches a landing page like a browser. It calls other servers, so it must not run in a transaction. */
export async function inspectLandingPage({ config, inspector }: Looking, pageUrl: string): Promise<PageResult> {
  const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Tributary integration check)' };
  const rules = { allow: config.outgoingAllow, timeoutMs, bytesMax: pageBytesMax, redirectsMax };
  const end = await sendOutgoing({ url: withClick(pageUrl, probe), headers }, rules);
  if (end.is !== 'answered') {
    const findings = [{ level: 'error', code: 'not_reached', message: end.message }] as const;
    return { isWorking: false, status: null, endedAt: withoutClick(pageUrl), tag: null, contentSecurityPolicy: null, findings };
  }
  const page = { url: end.url, status: end.status, headers: end.headers, body: end.body, isCut: end.isCut };
  const inspected = await inspector.inspect({ page, baseUrl: config.baseUrl });
  const { tag, isWorking, findings } = inspected.is === 'inspected' ? inspected.inspection : notInspected(inspected.message);
  const lostAt = findLostClick(
    end.hops.map(({ url }) => url),
    probe,
  );
  return {
    isWorking: isWorking && lostAt === null,
    status: end.status,
    endedAt: withoutClick(end.url),
    tag,
    contentSecurityPolicy: end.headers['content-security-policy']?.slice(0, policyLengthMax) ?? null,
    findings: [...findings, ...(lostAt === null ? [] : [clickLost(lostAt)])],
  };
}

const notInspected = (message: string) =>
  ({ tag: null, isWorking: false, findings: [{ level: 'error', code: 'not_inspected', message }] }) as const;

const clickLost = (at: string) =>
  ({
    level: 'error',
    code: 'click_lost',
    message: apiMessage('inspect_landing_page.redirect_loses_click_came_without', { at }),
  }) as const;

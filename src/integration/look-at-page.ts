import { whereClickIsLost } from '../capture/inspect-page.ts';
import type { PageInspector } from '../capture/page-inspector.ts';
import { withClick } from '../clicks/landing.ts';
import { callOutside } from '../platform/outgoing.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import type { PageFound } from './page-check.ts';

const timeoutMs = 10 * secondMs;
const pageBytesMax = 2_000_000;
const redirectsMax = 10;
const policyLengthMax = 2_000;
/** Has a click's shape, and is none: it counts for nobody. */
const probe = `rmv_${'0'.repeat(43)}`;

type Looking = Pick<Platform, 'config'> & { readonly inspector: PageInspector };

/** Opens a landing page as a shopper's browser would first. Calls other servers: never within a transaction. */
export async function lookAtPage({ config, inspector }: Looking, pageUrl: string): Promise<PageFound> {
  const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Tributary integration check)' };
  const rules = { allow: config.outgoingAllow, timeoutMs, bytesMax: pageBytesMax, redirectsMax };
  const end = await callOutside({ url: withClick(pageUrl, probe), headers }, rules);
  if (end.is !== 'answered') {
    const findings = [{ level: 'error', code: 'not_reached', message: end.message }] as const;
    return { isWorking: false, status: null, endedAt: withClick(pageUrl, null), tag: null, contentSecurityPolicy: null, findings };
  }
  const page = { url: end.url, status: end.status, headers: end.headers, body: end.body, isCut: end.isCut };
  const inspected = await inspector.inspect({ page, baseUrl: config.baseUrl });
  const { tag, isWorking, findings } = inspected.is === 'inspected' ? inspected.inspection : notInspected(inspected.message);
  const lostAt = whereClickIsLost(
    end.hops.map(({ url }) => url),
    probe,
  );
  return {
    isWorking: isWorking && lostAt === null,
    status: end.status,
    endedAt: withClick(end.url, null),
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
    message: `A redirect loses the click: ${at} came without rm_click. Let the redirect keep the query.`,
  }) as const;

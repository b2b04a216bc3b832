import { inspectPage, whereClickIsLost } from '../capture/inspect-page.ts';
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

/** Opens a landing page as a shopper's browser would first. Calls the outside: never within a transaction. */
export async function lookAtPage({ config }: Pick<Platform, 'config'>, pageUrl: string): Promise<PageFound> {
  const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Tributary integration check)' };
  const rules = { allow: config.outgoingAllow, timeoutMs, bytesMax: pageBytesMax, redirectsMax };
  const end = await callOutside({ url: withClick(pageUrl, probe), headers }, rules);
  if (end.is !== 'answered') {
    const findings = [{ level: 'error', code: 'not_reached', message: end.message }] as const;
    return { isWorking: false, status: null, endedAt: withClick(pageUrl, null), tag: null, contentSecurityPolicy: null, findings };
  }
  // As browsers read it; and what is found is kept, where the database takes no NUL.
  const html = end.body.toString('utf8').replaceAll('\0', '\u{fffd}');
  const page = { url: end.url, status: end.status, headers: end.headers, html, isCut: end.isCut };
  const { tag, isWorking, findings } = inspectPage(page, config.baseUrl);
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

const clickLost = (at: string) =>
  ({
    level: 'error',
    code: 'click_lost',
    message: `A redirect loses the click: ${at} came without rm_click. Let the redirect keep the query.`,
  }) as const;

import { inspectPage, findLostClick } from '../src/capture/inspect-page.ts';
import { sendOutgoing } from '../src/http/outgoing-request.ts';
import { apiMessage } from '../src/messages/api-message.ts';
import type { Terminal } from './command.ts';

const timeoutMs = 15_000;
const pageBytesMax = 2_000_000;
const redirectsMax = 10;

type Visit = { readonly url: string; readonly click: string; readonly baseUrl: string; readonly allow: readonly string[] };

/** Opens a landing page like a shopper's first visit, and prints what prevents a click. Returns false if something does. */
export async function visitPage({ url, click, baseUrl, allow }: Visit, { say }: Pick<Terminal, 'say'>): Promise<boolean> {
  const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Tributary doctor)' };
  const end = await sendOutgoing({ url, headers }, { allow, timeoutMs, bytesMax: pageBytesMax, redirectsMax });
  for (const { url: from, status, location } of end.hops)
    if (location !== null) say(`      ${apiMessage('cli_visit_page.redirects', { from, status: String(status) })}`);
  if (end.is !== 'answered') {
    say(`WRONG ${end.message}`);
    return false;
  }
  const lostAt = findLostClick(
    end.hops.map((hop) => hop.url),
    click,
  );
  if (lostAt === null) say(`good  ${apiMessage('cli_visit_page.click_arrives')}`);
  else say(`WRONG ${apiMessage('cli_visit_page.click_lost', { url: lostAt })}`);
  const html = end.body.toString('utf8');
  const { tag, isWorking, findings } = inspectPage(
    { url: end.url, status: end.status, headers: end.headers, html, isCut: end.isCut },
    baseUrl,
  );
  if (tag !== null) {
    const described = {
      isInHead: tag.isInHead ? ('true' as const) : ('other' as const),
      loads: tag.loads,
      consent: tag.consentMode,
      days: tag.maxAgeDays,
    };
    say(`good  ${apiMessage('cli_visit_page.tag', described)}`);
    const attributes = Object.entries(tag.attributes).map(([name, value]) => (value === '' ? name : `${name}="${value}"`));
    say(`      <script ${attributes.join(' ')}>`);
  }
  for (const { level, message } of findings) say(`${level === 'error' ? 'WRONG' : 'note '} ${message}`);
  return isWorking && lostAt === null;
}

import { randomBytes } from 'node:crypto';
import {
  callApi,
  exit,
  exitOf,
  UsageError,
  serviceUrl,
  storePath,
  describeResult,
  openTributary,
  type Command,
  type CommandContext,
} from './command.ts';
import { visitPage } from './visit-page.ts';

export const verify: Command = {
  usage: 'verify [--test-link URL] [--landing URL]',
  does: 'verifies the integration: creates a test link (or uses yours), opens it, posts the test order, and prints the results',
  async run(given, terminal) {
    const { settings, outgoingAllow, flags } = given;
    const url = flags['test-link'] ?? (await makeTestLink(given));
    const click = URL.canParse(url) ? new URL(url).searchParams.get('rm_click') : null;
    if (click === null || !click.startsWith('rmv_')) throw new UsageError('this is not a test link: its rm_click must begin with rmv_');
    terminal.say(`1. The test link: ${url}`);
    terminal.say('2. The page that it opens:');
    const isPageGood = await visitPage({ url, click, baseUrl: serviceUrl(settings), allow: outgoingAllow }, terminal);
    terminal.say('3. The test order:');
    const result = await openTributary(settings).conversions.record({
      orderId: `verification-${randomBytes(6).toString('hex')}`,
      clickId: click,
      orderSubtotalCents: 1_000,
      test: true,
    });
    terminal.say(describeResult(result));
    if (!result.ok) return exitOf(result);
    terminal.say(
      isPageGood
        ? 'Tracking is on. Next, place a test order in your store: only that shows whether your checkout saves the click.'
        : 'Tracking is on, but see step 2: that page would lose clicks.',
    );
    return isPageGood ? exit.done : exit.wrong;
  },
};

async function makeTestLink({ settings, flags }: CommandContext): Promise<string> {
  const body = JSON.stringify(flags.landing === undefined ? {} : { landing_url: flags.landing });
  const response = await callApi(settings, `${storePath(settings)}/test-links`, { method: 'POST', body });
  const json: unknown = await response.json();
  if (typeof json === 'object' && json !== null && 'url' in json && typeof json.url === 'string') return json.url;
  throw new UsageError('the service created no test link');
}

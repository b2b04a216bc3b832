import { randomBytes } from 'node:crypto';
import { apiMessage } from '../src/messages/api-message.ts';
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
  does: apiMessage('cli_verify.does'),
  async run(given, terminal) {
    const { settings, outgoingAllow, flags } = given;
    const url = flags['test-link'] ?? (await makeTestLink(given));
    const click = URL.canParse(url) ? new URL(url).searchParams.get('rm_click') : null;
    if (click === null || !click.startsWith('rmv_')) throw new UsageError(apiMessage('cli_verify.not_a_test_link'));
    terminal.say(apiMessage('cli_verify.step_link', { url }));
    terminal.say(apiMessage('cli_verify.step_page'));
    const isPageGood = await visitPage({ url, click, baseUrl: serviceUrl(settings), allow: outgoingAllow }, terminal);
    terminal.say(apiMessage('cli_verify.step_order'));
    const result = await openTributary(settings).conversions.record({
      orderId: `verification-${randomBytes(6).toString('hex')}`,
      clickId: click,
      orderSubtotalCents: 1_000,
      test: true,
    });
    terminal.say(describeResult(result));
    if (!result.ok) return exitOf(result);
    terminal.say(isPageGood ? apiMessage('cli_verify.tracking_on') : apiMessage('cli_verify.page_loses_clicks'));
    return isPageGood ? exit.done : exit.wrong;
  },
};

async function makeTestLink({ settings, flags }: CommandContext): Promise<string> {
  const body = JSON.stringify(flags.landing === undefined ? {} : { landing_url: flags.landing });
  const response = await callApi(settings, `${storePath(settings)}/test-links`, { method: 'POST', body });
  const json: unknown = await response.json();
  if (typeof json === 'object' && json !== null && 'url' in json && typeof json.url === 'string') return json.url;
  throw new UsageError(apiMessage('cli_verify.no_link'));
}

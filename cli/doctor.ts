import { apiMessage } from '../src/messages/api-message.ts';
import { exit, UsageError, serviceUrl, type Command } from './command.ts';
import { visitPage } from './visit-page.ts';

/** Is formatted like a click but is not a valid one, so no store counts it. */
const probeClickId = 'doctor';

export const doctor: Command = {
  usage: 'doctor <URL of a landing page>',
  does: apiMessage('cli_doctor.does'),
  async run({ words: [address], settings, outgoingAllow }, terminal) {
    if (address === undefined || !URL.canParse(address)) throw new UsageError(apiMessage('cli_doctor.name_a_page'));
    const url = new URL(address);
    url.searchParams.set('rm_click', probeClickId);
    const visit = { url: url.href, click: probeClickId, baseUrl: serviceUrl(settings), allow: outgoingAllow };
    return (await visitPage(visit, terminal)) ? exit.done : exit.wrong;
  },
};

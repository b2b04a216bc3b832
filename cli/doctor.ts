import { exit, Mistake, serviceUrl, type Command } from './command.ts';
import { visitPage } from './visit-page.ts';

/** Has the shape of a click, and is none: it counts for nobody. */
const probe = 'doctor';

export const doctor: Command = {
  usage: 'doctor <address of a landing page>',
  does: 'fetches a page (public addresses, and those in OUTGOING_ALLOW): is the tag there, may it load, does the click arrive',
  async run({ words: [address], settings, outgoingAllow }, terminal) {
    if (address === undefined || !URL.canParse(address)) throw new Mistake('say which page: doctor https://shop.example/');
    const url = new URL(address);
    url.searchParams.set('rm_click', probe);
    const visit = { url: url.href, click: probe, baseUrl: serviceUrl(settings), allow: outgoingAllow };
    return (await visitPage(visit, terminal)) ? exit.done : exit.wrong;
  },
};

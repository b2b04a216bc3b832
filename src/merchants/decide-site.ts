import type { ApiReason, FieldError } from '../http/responses.ts';
import { readDestination } from './destination.ts';
import { addressLengthMax, readSite } from './site.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Landing pages with the same origin, such as `https://shop.example`, and the number of programs or links that use it. */
export type LandingOrigin = {
  readonly origin: string;
  readonly count: number;
  /** Length of the longest URL. */ readonly lengthMax: number;
};

export type SiteFacts = {
  readonly current: string;
  readonly wanted: string;
  /** Whether to move landing pages outside the new site to its host. */
  readonly movesPages: boolean;
  readonly programs: readonly LandingOrigin[];
  readonly links: readonly LandingOrigin[];
};

export type MovedPages = {
  /** `to` replaces these origins; path and query remain. */
  readonly from: readonly string[];
  readonly to: string;
  readonly programs: number;
  readonly links: number;
};

export type SiteDecision =
  | { readonly do: 'keep' }
  | { readonly do: 'change'; readonly siteUrl: string; readonly moved: MovedPages }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string; readonly fieldErrors: readonly FieldError[] };

/** Limits the checks for each change: creators choose subdomains freely, but a store has fewer in practice. */
export const landingOriginsMax = 1_000;
/** All links change in one transaction, which takes about a second for this many. */
export const movedLinksMax = 100_000;

/** Redirects lead only to the store's own hosts, so a change of site must also move every page that the new site does not cover. */
export function decideSite({ current, wanted, movesPages, programs, links }: SiteFacts): SiteDecision {
  const read = readSite(wanted);
  if (read.is === 'wrong') return wrongSite(read.message);
  const { siteUrl } = read;
  if (siteUrl === current) return { do: 'keep' };
  if (programs.length > landingOriginsMax || links.length > landingOriginsMax)
    return limit(apiMessage('decide_site.landing_pages_on_more_than', { landingOriginsMax }));
  const to = new URL(siteUrl).origin;
  const outside = { programs: outsideOf(programs, siteUrl), links: outsideOf(links, siteUrl) };
  const moved = { from: originsOf(outside), to, programs: total(outside.programs), links: total(outside.links) };
  if (moved.from.length === 0) return { do: 'change', siteUrl, moved };
  if (!movesPages) return pagesOutside(moved, siteUrl);
  if (moved.links > movedLinksMax) return limit(apiMessage('decide_site.at_most_links_can_moved', { movedLinksMax, links: moved.links }));
  const longest = [...outside.programs, ...outside.links].some(
    ({ origin, lengthMax }) => lengthMax - origin.length + to.length > addressLengthMax,
  );
  if (longest) return wrongSite(`makes a landing page longer than ${addressLengthMax} characters`);
  return { do: 'change', siteUrl, moved };
}

const outsideOf = (origins: readonly LandingOrigin[], siteUrl: string): readonly LandingOrigin[] =>
  origins.filter(({ origin }) => readDestination(`${origin}/`, siteUrl).is === 'wrong');

const originsOf = ({ programs, links }: { readonly programs: readonly LandingOrigin[]; readonly links: readonly LandingOrigin[] }) => [
  ...new Set([...programs, ...links].map(({ origin }) => origin)),
];

const total = (origins: readonly LandingOrigin[]): number => origins.reduce((sum, { count }) => sum + count, 0);

function pagesOutside({ programs, links }: MovedPages, siteUrl: string): SiteDecision {
  const outside = `of ${counted(programs, 'program')} and ${counted(links, 'link')} are outside ${siteUrl}`;
  const message = apiMessage('decide_site.landing_pages_change_them', { outside });
  const fieldErrors = [{ field: 'move_landing_pages', message: apiMessage('decide_site.landing_pages_move_them', { outside }) }];
  return { do: 'refuse', reason: 'conflict', message, fieldErrors };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const wrongSite = (message: string): SiteDecision => ({
  do: 'refuse',
  reason: 'unprocessable',
  message: apiMessage('decide_site.site_cannot_changed_see_errors'),
  fieldErrors: [{ field: 'site_url', message }],
});
const limit = (message: string): SiteDecision => ({ do: 'refuse', reason: 'limit_reached', message, fieldErrors: [] });

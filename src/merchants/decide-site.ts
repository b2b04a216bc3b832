import type { ApiReason, FieldFault } from '../platform/http/answers.ts';
import { readDestination } from './destination.ts';
import { addressLengthMax, readSite } from './site.ts';

/** Landing pages of one origin, such as `https://shop.example`, and how many programs or links lead there. */
export type LandingOrigin = { readonly origin: string; readonly count: number; /** Of the longest address. */ readonly lengthMax: number };

export type SiteFacts = {
  readonly current: string;
  readonly wanted: string;
  /** Whether landing pages that the new site does not cover are moved to its host. */
  readonly movesPages: boolean;
  readonly programs: readonly LandingOrigin[];
  readonly links: readonly LandingOrigin[];
};

export type MovedPages = {
  /** Addresses that begin with one of these get `to` in its place; path and query stay. */
  readonly from: readonly string[];
  readonly to: string;
  readonly programs: number;
  readonly links: number;
};

export type SiteDecision =
  | { readonly do: 'keep' }
  | { readonly do: 'change'; readonly siteUrl: string; readonly moved: MovedPages }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string; readonly faults: readonly FieldFault[] };

/** More different hosts than a store has in practice: creators choose subdomains freely, and each is judged. */
export const landingOriginsMax = 1_000;
/** Rewritten in one transaction, in about a second. */
export const movedLinksMax = 100_000;

/** Redirects lead only to the store's own hosts, so a site changes only together with every page that it would no longer cover. */
export function decideSite({ current, wanted, movesPages, programs, links }: SiteFacts): SiteDecision {
  const read = readSite(wanted);
  if (read.is === 'wrong') return wrongSite(read.message);
  const { siteUrl } = read;
  if (siteUrl === current) return { do: 'keep' };
  if (programs.length > landingOriginsMax || links.length > landingOriginsMax)
    return limit(`Landing pages lead to more than ${landingOriginsMax} hosts; change some of them first.`);
  const to = new URL(siteUrl).origin;
  const outside = { programs: outsideOf(programs, siteUrl), links: outsideOf(links, siteUrl) };
  const moved = { from: originsOf(outside), to, programs: total(outside.programs), links: total(outside.links) };
  if (moved.from.length === 0) return { do: 'change', siteUrl, moved };
  if (!movesPages) return conflict(outsideMessage(moved, siteUrl));
  if (moved.links > movedLinksMax) return limit(`At most ${movedLinksMax} links are moved at once; ${moved.links} lead elsewhere.`);
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

const outsideMessage = ({ programs, links }: MovedPages, siteUrl: string): string =>
  `Landing pages of ${counted(programs, 'program')} and ${counted(links, 'link')} are outside ${siteUrl}. ` +
  'Change them first, or send move_landing_pages: true to move them to the new host.';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const wrongSite = (message: string): SiteDecision => ({
  do: 'refuse',
  reason: 'unprocessable',
  message: 'The store cannot have this site; see errors.',
  faults: [{ field: 'site_url', message }],
});
const conflict = (message: string): SiteDecision => ({ do: 'refuse', reason: 'conflict', message, faults: [] });
const limit = (message: string): SiteDecision => ({ do: 'refuse', reason: 'limit_reached', message, faults: [] });

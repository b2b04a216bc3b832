import { blockedBy } from './content-policy.ts';
import { tagsOf, type PageTag } from './page-tags.ts';

/** A fetched landing page. */
export type FetchedPage = {
  readonly url: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
  /** The page was longer than the limit. */
  readonly isCut: boolean;
};

export type PageFinding = {
  readonly code:
    | 'not_ok'
    | 'not_html'
    | 'tag_missing'
    | 'tag_of_tag_manager'
    | 'tag_elsewhere'
    | 'tag_twice'
    | 'tag_blocked_until_consent'
    | 'not_in_head'
    | 'not_deferred'
    | 'plain_http'
    | 'consent_mode_wrong'
    | 'max_age_wrong'
    | 'integrity_without_crossorigin'
    | 'blocked_by_policy';
  /** A page with an error captures no clicks. */
  readonly level: 'error' | 'warning';
  /** The problem, and what to do. */
  readonly message: string;
};

export type FoundTag = {
  readonly src: string;
  readonly isInHead: boolean;
  readonly loads: 'defer' | 'async' | 'at once';
  /** As the script interprets it. */
  readonly consentMode: 'granted' | 'explicit';
  readonly maxAgeDays: number;
  readonly attributes: Readonly<Record<string, string>>;
};

export type PageInspection = {
  /** Null if the HTML does not contain it. */
  readonly tag: FoundTag | null;
  readonly isWorking: boolean;
  readonly findings: readonly PageFinding[];
};

/** The length of quoted page content in a message. */
const quotedLengthMax = 200;
const quoted = (text: string): string => (text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax).toWellFormed()}…` : text);

const scriptPath = /^\/api\/pn\/sdk\/v1\.(?:[\w-]+\.)?js$/;

/** Finds the capture script in a page's HTML and headers. It cannot see tags that other scripts add later. */
export function inspectPage(page: FetchedPage, baseUrl: string): PageInspection {
  const findings: PageFinding[] = [];
  const tell = (level: PageFinding['level'], code: PageFinding['code'], message: string) => void findings.push({ level, code, message });
  if (page.status !== 200) tell('error', 'not_ok', `The page was answered with HTTP ${page.status}.`);
  const type = page.headers['content-type'] ?? '';
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type))
    tell('error', 'not_html', `The page is ${type === '' ? 'of no known type' : quoted(type)}, not HTML.`);
  const encoding = page.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    tell('error', 'not_html', `The page is compressed (${quoted(encoding)}) although it was requested uncompressed, so it cannot be read.`);

  const tags = tagsOf(page.html);
  const base = tags.find(({ name }) => name === 'base')?.attributes['href'] ?? '';
  const at = URL.canParse(base, page.url) ? new URL(base, page.url) : new URL(page.url);
  const ours = tags.flatMap((tag) => (tag.name === 'script' ? (ourScript(tag, at) ?? []) : []));
  const mine = ours.filter(({ src }) => src.origin === new URL(baseUrl).origin);
  const [first] = mine;
  if (first === undefined) {
    tellMissing({ page, baseUrl, elsewhere: ours[0]?.src ?? null }, tell);
    return { tag: null, isWorking: false, findings };
  }
  if (mine.length > 1) tell('warning', 'tag_twice', `The page has the tag ${mine.length} times. The first one is used; remove the others.`);
  const tag = found(first);
  judgeTag(first, tag, tell);
  judgeLoading(first, { page, policies: policiesOf(page, tags, first.tag) }, tell);
  return { tag, isWorking: !findings.some(({ level }) => level === 'error'), findings };
}

type Script = { readonly tag: PageTag; readonly src: URL };
type Tell = (level: PageFinding['level'], code: PageFinding['code'], message: string) => void;

/** Checks one script at a time, so that no other script stays in memory. */
function ourScript(tag: PageTag, at: URL): Script | null {
  const given = tag.attributes['src']?.trim() ?? '';
  if (given === '' || !URL.canParse(given, at.href)) return null;
  const src = new URL(given, at.href);
  return scriptPath.test(src.pathname) ? { tag, src } : null;
}

type Missing = { readonly page: FetchedPage; readonly baseUrl: string; readonly elsewhere: URL | null };

function tellMissing({ page, baseUrl, elsewhere }: Missing, tell: Tell): void {
  if (elsewhere !== null)
    return tell(
      'error',
      'tag_elsewhere',
      `The script is loaded from ${quoted(elsewhere.origin)}, not from ${baseUrl}: the tag is that of another service.`,
    );
  if (/googletagmanager\.com\/gtm\.js|\bGTM-[A-Z0-9]{4,}\b/.test(page.html))
    return tell(
      'warning',
      'tag_of_tag_manager',
      'The tag is not in the HTML, but a tag manager is: whether it puts the script there only a browser can see.',
    );
  const until = page.isCut ? ' Only the beginning of the page was read.' : '';
  tell('error', 'tag_missing', `The page has no <script src="${baseUrl}/api/pn/sdk/v1.js" defer> in its <head>.${until}`);
}

const maxAgeDaysUsual = 30;

/** Like the script itself: of the attribute and the query parameter, the stricter one wins. */
function found({ tag, src }: Script): FoundTag {
  const { attributes } = tag;
  const modes = settings({ tag, src }, 'consent-mode');
  const ages = settings({ tag, src }, 'max-age-days').map((value) => (isAge(value) ? Number(value) : maxAgeDaysUsual));
  return {
    src: src.href,
    isInHead: tag.isInHead,
    loads: 'async' in attributes ? 'async' : 'defer' in attributes || isModule(tag) ? 'defer' : 'at once',
    consentMode: modes.length > 0 ? 'explicit' : 'granted',
    maxAgeDays: ages.length > 0 ? Math.min(...ages) : maxAgeDaysUsual,
    attributes,
  };
}

const settings = ({ tag, src }: Script, name: string): readonly string[] =>
  [tag.attributes[`data-rm-${name}`], src.searchParams.get(name)].filter((value) => value !== undefined && value !== null);

const isAge = (value: string): boolean => /^\d+$/.test(value) && Number(value) > 0 && Number(value) < 366;
const isModule = ({ attributes }: PageTag): boolean => /^module$/i.test((attributes['type'] ?? '').trim());
const isScriptType = (type: string): boolean => /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type.trim());

function judgeTag({ tag, src }: Script, { isInHead, loads }: FoundTag, tell: Tell): void {
  if (!isScriptType(tag.attributes['type'] ?? ''))
    tell(
      'warning',
      'tag_blocked_until_consent',
      `Its type is "${quoted(tag.attributes['type'] ?? '')}": it runs only after a consent manager changes that.`,
    );
  if (!isInHead) tell('warning', 'not_in_head', 'The tag is not in the <head>: a shopper who leaves quickly is missed.');
  if (loads === 'at once')
    tell(
      'warning',
      'not_deferred',
      'The tag has no "defer": the page waits for it. Leave it so only where a router rewrites the address at once.',
    );
  const mode = settings({ tag, src }, 'consent-mode').find((value) => value.trim().toLowerCase() !== 'explicit');
  if (mode !== undefined)
    tell('warning', 'consent_mode_wrong', `The consent mode "${quoted(mode)}" is not known; the script takes it for "explicit".`);
  const age = settings({ tag, src }, 'max-age-days').find((value) => !isAge(value));
  if (age !== undefined)
    tell('warning', 'max_age_wrong', `The age "${quoted(age)}" is no number of days from 1 to 365; the script takes 30.`);
}

type Loading = { readonly page: FetchedPage; readonly policies: readonly string[] };

function judgeLoading({ tag, src }: Script, { page, policies }: Loading, tell: Tell): void {
  const url = new URL(page.url);
  const integrity = tag.attributes['integrity'] ?? null;
  if (url.protocol === 'https:' && src.protocol === 'http:' && !['localhost', '127.0.0.1'].includes(src.hostname))
    tell('error', 'plain_http', 'The page is encrypted and the script is not: browsers do not load it.');
  // A module is always fetched with CORS.
  if (integrity !== null && !('crossorigin' in tag.attributes) && !isModule(tag) && src.origin !== url.origin)
    tell('error', 'integrity_without_crossorigin', 'With "integrity" it also needs crossorigin="anonymous", or browsers do not load it.');
  const blocker = blockedBy(policies, url, { src, nonce: tag.attributes['nonce'] ?? null, integrity });
  if (blocker !== null)
    tell(
      'error',
      'blocked_by_policy',
      `The Content-Security-Policy of the page does not let it load (${quoted(blocker)}): add ${src.origin} there.`,
    );
}

/** From headers, separated by commas, and from the page, where a policy applies only to what follows it. */
function policiesOf({ headers }: FetchedPage, tags: readonly PageTag[], script: PageTag): readonly string[] {
  const before = tags.slice(0, tags.indexOf(script));
  const metas = before.filter(({ name }) => name === 'meta');
  const texts = [headers['content-security-policy'] ?? '', ...metas.map(({ attributes }) => attributes['content'] ?? '')];
  return texts.flatMap((text) => text.split(',')).filter((policy) => policy.trim() !== '');
}

/** The first URL of a redirect chain without the click ID, or null. */
export function findLostClick(addresses: readonly string[], click: string): string | null {
  return addresses.find((address) => new URL(address).searchParams.get('rm_click') !== click) ?? null;
}

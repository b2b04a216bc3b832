import { blockedBy } from './content-policy.ts';
import { tagsOf, type PageTag } from './page-tags.ts';
import { apiMessage } from '../messages/api-message.ts';

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
  if (page.status !== 200) tell('error', 'not_ok', apiMessage('inspect_page.page_answered_with_http', { status: page.status }));
  const type = page.headers['content-type'] ?? '';
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type))
    tell(
      'error',
      'not_html',
      apiMessage('inspect_page.page_not_html', { type: type === '' ? apiMessage('inspect_page.unknown_type') : quoted(type) }),
    );
  const encoding = page.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    tell('error', 'not_html', apiMessage('inspect_page.page_compressed_although', { encoding: quoted(encoding) }));

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
  if (mine.length > 1) tell('warning', 'tag_twice', apiMessage('inspect_page.page_has_tag_times_first', { count: mine.length }));
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
    return tell('error', 'tag_elsewhere', apiMessage('inspect_page.script_loaded_from_not', { origin: quoted(elsewhere.origin), baseUrl }));
  if (/googletagmanager\.com\/gtm\.js|\bGTM-[A-Z0-9]{4,}\b/.test(page.html))
    return tell('warning', 'tag_of_tag_manager', apiMessage('inspect_page.tag_not_html_but_tag'));
  const until = page.isCut ? ' Only the beginning of the page was read.' : '';
  tell('error', 'tag_missing', apiMessage('inspect_page.page_has_no_script_src', { baseUrl, until }));
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
      apiMessage('inspect_page.its_type_runs', { attributes: quoted(tag.attributes['type'] ?? '') }),
    );
  if (!isInHead) tell('warning', 'not_in_head', apiMessage('inspect_page.tag_not_head_shopper_who'));
  if (loads === 'at once') tell('warning', 'not_deferred', apiMessage('inspect_page.tag_has_no_defer_page'));
  const mode = settings({ tag, src }, 'consent-mode').find((value) => value.trim().toLowerCase() !== 'explicit');
  if (mode !== undefined) tell('warning', 'consent_mode_wrong', apiMessage('inspect_page.consent_mode_not', { mode: quoted(mode) }));
  const age = settings({ tag, src }, 'max-age-days').find((value) => !isAge(value));
  if (age !== undefined) tell('warning', 'max_age_wrong', apiMessage('inspect_page.age_no_number', { age: quoted(age) }));
}

type Loading = { readonly page: FetchedPage; readonly policies: readonly string[] };

function judgeLoading({ tag, src }: Script, { page, policies }: Loading, tell: Tell): void {
  const url = new URL(page.url);
  const integrity = tag.attributes['integrity'] ?? null;
  if (url.protocol === 'https:' && src.protocol === 'http:' && !['localhost', '127.0.0.1'].includes(src.hostname))
    tell('error', 'plain_http', apiMessage('inspect_page.page_encrypted_and_script_not'));
  // A module is always fetched with CORS.
  if (integrity !== null && !('crossorigin' in tag.attributes) && !isModule(tag) && src.origin !== url.origin)
    tell('error', 'integrity_without_crossorigin', apiMessage('inspect_page.with_integrity_also_needs_crossorigin_an'));
  const blocker = blockedBy(policies, url, { src, nonce: tag.attributes['nonce'] ?? null, integrity });
  if (blocker !== null)
    tell(
      'error',
      'blocked_by_policy',
      apiMessage('inspect_page.content_security_policy_page_does_not_le', { blocker: quoted(blocker), origin: src.origin }),
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

/** A start tag of a page. Comments, script text, and inert parts are skipped. */
export type PageTag = {
  readonly name: string;
  /** By lower-case name; the first of repeated attributes applies, as in browsers. Attributes over a limit below are left out. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly isInHead: boolean;
};

/**
 * The page is untrusted, so everything that is kept of it has a limit. Irrelevant tags are dropped, so that only the kept ones use
 * memory.
 */
const tagsReadMax = 100_000;
const tagsKeptMax = 500;
const attributesMax = 40;
const attributeNameLengthMax = 100;
/** Browsers and servers do not support longer URLs. */
const attributeLengthMax = 2_048;
/** A page's policy, which may name many hosts. */
const contentLengthMax = 16_384;

/** The content of these elements has no tags. */
const textOnly = ['script', 'style', 'title', 'textarea', 'noscript', 'template', 'iframe', 'xmp'];
/** Any other tag ends the head, even without a closing tag. */
const ofHead = [
  'html',
  'head',
  'meta',
  'title',
  'link',
  'script',
  'style',
  'base',
  'basefont',
  'bgsound',
  'noscript',
  'noframes',
  'template',
];

const isKept = ({ name, attributes }: ReadTag): boolean =>
  (name === 'script' && attributes['src'] !== undefined) ||
  (name === 'base' && attributes['href'] !== undefined) ||
  (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'content-security-policy');

/**
 * The scripts with a URL, the base, and the policies of a page, in their order. It reads each character once: one pattern over the whole
 * page took a minute for a page that consists of unfinished tags.
 */
export function tagsOf(html: string): readonly PageTag[] {
  const tags: PageTag[] = [];
  let isInHead = true;
  let at = html.indexOf('<');
  for (let read = 0; at !== -1 && read < tagsReadMax && tags.length < tagsKeptMax;) {
    if (html.startsWith('<!--', at)) {
      at = after(html, '-->', at + '<!--'.length);
    } else if (/[A-Za-z]/.test(html.charAt(at + 1))) {
      const tag = readTag(html, at + 1);
      if (tag === null) break;
      isInHead &&= ofHead.includes(tag.name);
      read += 1;
      if (isKept(tag)) tags.push({ name: tag.name, attributes: tag.attributes, isInHead });
      at = textOnly.includes(tag.name) ? endOf(html, tag.name, tag.end) : tag.end;
    } else {
      if (/^<\/head[\s/>]/i.test(html.slice(at, at + '</head>'.length))) isInHead = false;
      at += 1;
    }
    at = at === -1 ? -1 : html.indexOf('<', at);
  }
  return tags;
}

const after = (html: string, word: string, from: number): number => {
  const at = html.indexOf(word, from);
  return at === -1 ? -1 : at + word.length;
};

function endOf(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? -1;
}

type ReadTag = { readonly name: string; readonly attributes: Readonly<Record<string, string>>; readonly end: number };

/** Null if the page ends inside it. */
function readTag(html: string, from: number): ReadTag | null {
  const nameEnd = passWhile(html, from, /[^\s/>]/);
  const attributes = new Map<string, string>();
  let at = nameEnd;
  for (;;) {
    at = passWhile(html, at, /[\s/]/);
    if (at >= html.length) return null;
    if (html.charAt(at) === '>') break;
    // An unexpected = begins a name.
    const end = passWhile(html, at + 1, /[^\s/>=]/);
    const nameLength = end - at;
    const name = nameLength > attributeNameLengthMax ? null : html.slice(at, end).toLowerCase();
    const value = readValue(html, passWhile(html, end, /\s/));
    if (value === null) return null;
    const lengthMax = name === 'content' ? contentLengthMax : attributeLengthMax;
    if (name !== null && attributes.size < attributesMax && !attributes.has(name) && value.text.length <= lengthMax)
      attributes.set(storable(name), unescaped(storable(value.text)));
    at = value.end ?? end;
  }
  const name = html.slice(from, Math.min(nameEnd, from + attributeNameLengthMax)).toLowerCase();
  return { name, attributes: Object.fromEntries(attributes), end: at + 1 };
}

/** `end` is null if there is no value. */
function readValue(html: string, at: number): { readonly text: string; readonly end: number | null } | null {
  if (html.charAt(at) !== '=') return { text: '', end: null };
  const start = passWhile(html, at + 1, /\s/);
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, start + 1);
    return end === -1 ? null : { text: html.slice(start + 1, end), end: end + 1 };
  }
  const end = passWhile(html, start, /[^\s>]/);
  return { text: html.slice(start, end), end };
}

function passWhile(html: string, from: number, characters: RegExp): number {
  let at = from;
  while (at < html.length && characters.test(html.charAt(at))) at += 1;
  return at;
}

/** As browsers read it; the database does not store NUL. */
const storable = (text: string): string => text.replaceAll('\0', '\u{fffd}');
const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'" };
const unescaped = (text: string): string => text.replace(/&(amp|quot|apos|lt|gt|#39);/g, (all, name: string) => entities[name] ?? all);

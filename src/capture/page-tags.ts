/** A start tag of a page, as far as a parser of HTML acts on it: comments, texts of scripts and inert parts are passed over. */
export type PageTag = {
  readonly name: string;
  /** By lower-case name; of a repeated one the first counts, as in browsers. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly isInHead: boolean;
};

const pageTagsMax = 5_000;

/** Between these and their ends there are no tags. */
const textOnly = ['script', 'style', 'title', 'textarea', 'noscript', 'template', 'iframe', 'xmp'];
/** Any other tag ends the head, whether it is closed or not. */
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

/**
 * Letter by letter and never back: the page is a stranger's, and one pattern over all of it took a minute for a page of nothing but
 * beginnings of tags.
 */
export function tagsOf(html: string): readonly PageTag[] {
  const tags: PageTag[] = [];
  let isInHead = true;
  let at = html.indexOf('<');
  while (at !== -1 && tags.length < pageTagsMax) {
    if (html.startsWith('<!--', at)) {
      at = after(html, '-->', at + '<!--'.length);
    } else if (/[A-Za-z]/.test(html.charAt(at + 1))) {
      const tag = readTag(html, at + 1);
      if (tag === null) break;
      isInHead &&= ofHead.includes(tag.name);
      tags.push({ name: tag.name, attributes: tag.attributes, isInHead });
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

/** Null where the page ends within it. */
function readTag(html: string, from: number): ReadTag | null {
  const nameEnd = passWhile(html, from, /[^\s/>]/);
  const attributes = new Map<string, string>();
  let at = nameEnd;
  for (;;) {
    at = passWhile(html, at, /[\s/]/);
    if (at >= html.length) return null;
    if (html.charAt(at) === '>') break;
    // A stray = begins a name.
    const end = passWhile(html, at + 1, /[^\s/>=]/);
    const name = html.slice(at, end).toLowerCase();
    const value = readValue(html, passWhile(html, end, /\s/));
    if (value === null) return null;
    if (!attributes.has(name)) attributes.set(name, unescaped(value.text));
    at = value.end ?? end;
  }
  return { name: html.slice(from, nameEnd).toLowerCase(), attributes: Object.fromEntries(attributes), end: at + 1 };
}

/** `end` is null where there is no value. */
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

function passWhile(html: string, from: number, letters: RegExp): number {
  let at = from;
  while (at < html.length && letters.test(html.charAt(at))) at += 1;
  return at;
}

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', '#39': "'" };
const unescaped = (text: string): string => text.replace(/&(amp|quot|apos|lt|gt|#39);/g, (all, name: string) => entities[name] ?? all);

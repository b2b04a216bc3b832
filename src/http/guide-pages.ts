import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, type Tokens } from 'marked';
import { createHash } from 'node:crypto';
import { programFolder } from '../core/program-folder.ts';
import { html, trusted, type Html } from './html.ts';
import type { DocsPage } from './api-docs-page.ts';

const css = ['docs-page.css', 'guide-page.css'].map((file) => readFileSync(new URL(`src/http/${file}`, programFolder), 'utf8')).join('\n');
const policy = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** Renders a guide as a page without scripts. HTML in the text is escaped, except for what folds a part of the page. */
export function guidePage(guide: Guide, guides: readonly Guide[]): DocsPage {
  const { body, sections } = renderMarkdown(guide, guides);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${guide.title} · Tributary</title>
        ${trusted(`<style>${css}</style>`)}
      </head>
      <body class="guide">
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a class="name" href="${guidesPath}">Tributary</a><a class="to-contents" href="#guides">Contents</a><a href="/docs">API</a>
        </header>
        <div class="frame">
          <main id="content" tabindex="-1">${body}${nextGuideLink(guide, guides)}</main>
          <nav id="guides" aria-label="Guides" tabindex="-1">
            ${guides.map((one) => navigationEntry(one, one === guide ? sections : null))}
          </nav>
        </div>
      </body>
    </html> `;
  return { html: page.html, contentSecurityPolicy: `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'` };
}

/** The list of guides on the page of the API, in reading order. */
export const guidesOf = (guides: readonly Guide[]): Html =>
  html`<p>All guides, in reading order:</p>
    <ol class="guides">
      ${guides.filter(({ file }) => file !== guidesList).map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}
    </ol>`;

type Section = { readonly id: string; readonly title: Html };

const navigationEntry = ({ path, title }: Guide, sections: readonly Section[] | null): Html =>
  sections === null
    ? html`<a href="${path}">${title}</a>`
    : html`<a href="${path}" aria-current="page">${title}</a> ${sections.length === 0 ? '' : listOf(sections)}`;

const listOf = (sections: readonly Section[]): Html =>
  html`<ul>
    ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
  </ul>`;

function nextGuideLink(guide: Guide, guides: readonly Guide[]): Html {
  const next = guides[guides.indexOf(guide) + 1];
  return next === undefined ? html`` : html`<p class="next">Next: <a href="${next.path}">${next.title}</a></p>`;
}

/** Creates the same heading ID as GitHub, so that links work in both places. */
export const headingId = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the URL of a link on the served page, or null if its target is not served. */
export function servedUrl(guide: Guide, href: string, guides: readonly Guide[]): string | null {
  const file = fileOf(guide.file, href);
  if (file === null) return href;
  const served = guides.find((one) => one.file === file);
  return served === undefined ? null : served.path + href.slice(href.indexOf('#') === -1 ? href.length : href.indexOf('#'));
}

function renderMarkdown(guide: Guide, guides: readonly Guide[]): { readonly body: Html; readonly sections: readonly Section[] } {
  const sections: Section[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = trusted(this.parser.parseInline(tokens));
        const id = headingId(text.replaceAll('`', ''));
        const before = ids.get(id) ?? 0;
        ids.set(id, before + 1);
        const unique = before === 0 ? id : `${id}-${before}`;
        if (depth === 2) sections.push({ id: unique, title });
        if (depth === 1) return html`<h1 id="${unique}">${title}</h1>`.html;
        const name = trusted(`h${depth}`);
        return html`<${name} id="${unique}"><a href="#${unique}">${title}</a></${name}>`.html;
      },
      link({ href, tokens }) {
        const words = trusted(this.parser.parseInline(tokens));
        const at = servedUrl(guide, href, guides);
        return at === null ? words.html : html`<a href="${at}">${words}</a>`.html;
      },
      code: ({ text, lang }) => codeOf(text, lang?.split(' ', 1)[0] ?? ''),
      // Comments are for authors and are not rendered.
      html: ({ text }) => (/^<!--[^]*-->\s*$/.test(text) ? '' : renderFold(text)),
      // Of a link elsewhere only the description is shown.
      image({ href, text }) {
        const file = fileOf(guide.file, href);
        return file === null ? html`${text}`.html : html`<img src="${imagePath(file)}" alt="${text}" />`.html;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          trusted(`<tr>${cells.map(({ tokens }) => cellOf(tag, this.parser.parseInline([...tokens]))).join('')}</tr>`);
        return html`<div class="wide" tabindex="0" role="group" aria-label="${labelOf(token.header)}">
          <table>
            <thead>
              ${row(token.header, 'th')}
            </thead>
            <tbody>
              ${token.rows.map((cells) => row(cells, 'td'))}
            </tbody>
          </table>
        </div>`.html;
      },
    },
  });
  const body = trusted(marked.parser(marked.lexer(guide.text)));
  return { body, sections };
}

/** A `details` element with a summary that is only text. Markdown in it is a separate token. */
function renderFold(text: string): string {
  const [, summary] = /^<details>\n<summary>([^<>&]+)<\/summary>\s*$/.exec(text) ?? [];
  if (summary !== undefined) return `<details><summary>${summary}</summary>`;
  return /^<\/details>\s*$/.test(text) ? '</details>' : html`${text}`.html;
}

const names: Readonly<Record<string, string>> = {
  sh: 'Commands',
  json: 'JSON',
  html: 'HTML',
  js: 'JavaScript',
  ts: 'TypeScript',
  php: 'PHP',
};

/** Built without the html template, which would change the whitespace of the code. */
const codeOf = (text: string, language: string): string =>
  `<pre tabindex="0" aria-label="${html`${names[language] ?? 'Example'}`.html}"><code>${html`${text}`.html}</code></pre>`;

/** An empty title is rendered as `td`, because screen readers announce an empty `th` as a heading. */
const cellOf = (tag: 'th' | 'td', inner: string): string =>
  tag === 'th' && inner !== '' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
const labelOf = (header: readonly Tokens.TableCell[]): string => `Table: ${header.map(({ text }) => text || 'no title').join(', ')}`;

export type Guide = {
  /** Relative to the root of the project, such as `docs/wire.md`. */
  readonly file: string;
  /** The URL path. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
};

/** The page that lists the guides; the links in its table give the reading order. */
export const guidesList = 'docs/README.md';
export const guidesPath = '/docs/guides';

const root = fileURLToPath(programFolder);
const guidesMax = 50;

/** Returns the list page first. Files are read once, at the start. */
export function readGuides(): readonly Guide[] {
  const list = readGuide(guidesList);
  const [table = ''] = /^\|.*?(?=\n\n)/ms.exec(list.text) ?? [];
  const files = [...table.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, href = '']) => fileOf(list.file, href) ?? []);
  return [list, ...[...new Set(files)].slice(0, guidesMax).map(readGuide)];
}

function readGuide(file: string): Guide {
  const text = readFileSync(posix.join(root, file), 'utf8');
  return { file, path: pathOf(file), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
}

/** `docs/wire.md` is served at `/docs/wire`, `sdk/README.md` at `/docs/sdk`. */
function pathOf(file: string): string {
  if (file === guidesList) return guidesPath;
  const name = posix.basename(file, '.md');
  return `/docs/${name === 'README' ? posix.basename(posix.dirname(file)) : name}`;
}

type GuideImage = { readonly path: string; readonly svg: string };

/** The images of the guides, which are beside them. */
export const readGuideImages = (): readonly GuideImage[] =>
  readdirSync(posix.join(root, 'docs'))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => ({ path: imagePath(name), svg: readFileSync(posix.join(root, 'docs', name), 'utf8') }));

const imagePath = (file: string): string => `/docs/${posix.basename(file)}`;

/** The file that a link in `from` points to, without its fragment; null for external links and links within the page. */
export function fileOf(from: string, href: string): string | null {
  const [path = ''] = href.split('#', 1);
  if (path === '' || /^([a-z]+:|\/)/i.test(path)) return null;
  return posix.normalize(posix.join(posix.dirname(from), path));
}

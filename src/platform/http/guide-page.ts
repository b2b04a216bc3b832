import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { fileOf, guidesList, guidesPath, type Guide } from './guides.ts';
import { html, trusted, type Html } from './html.ts';
import type { DocsPage } from './docs-page.ts';

const css = ['docs-page.css', 'guide-page.css'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** One guide as a page: no script, as with the API's description, and whatever HTML stands in the text is shown, not obeyed. */
export function guidePage(guide: Guide, guides: readonly Guide[]): DocsPage {
  const { body, sections } = written(guide, guides);
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
        <a class="skip" href="#content">To the content</a>
        <header>
          <a class="name" href="${guidesPath}">Tributary</a><a class="to-contents" href="#guides">Contents</a><a href="/docs">API</a>
        </header>
        <div class="frame">
          <main id="content" tabindex="-1">${body}${nextOf(guide, guides)}</main>
          <nav id="guides" aria-label="Guides" tabindex="-1">${guides.map((one) => entryOf(one, one === guide ? sections : null))}</nav>
        </div>
      </body>
    </html> `;
  return { html: page.html, contentSecurityPolicy: `${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'` };
}

/** For the page of the API: all guides, in the order in which they are read. */
export const guidesOf = (guides: readonly Guide[]): Html =>
  html`<p>The guides, in the order in which they are read:</p>
    <ol class="guides">
      ${guides.filter(({ file }) => file !== guidesList).map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}
    </ol>`;

type Section = { readonly id: string; readonly title: Html };

const entryOf = ({ path, title }: Guide, sections: readonly Section[] | null): Html =>
  sections === null
    ? html`<a href="${path}">${title}</a>`
    : html`<a href="${path}" aria-current="page">${title}</a> ${sections.length === 0 ? '' : listOf(sections)}`;

const listOf = (sections: readonly Section[]): Html =>
  html`<ul>
    ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
  </ul>`;

function nextOf(guide: Guide, guides: readonly Guide[]): Html {
  const next = guides[guides.indexOf(guide) + 1];
  return next === undefined ? html`` : html`<p class="next">Next: <a href="${next.path}">${next.title}</a></p>`;
}

/** The id of a heading as GitHub makes it, so that a link to it is right in both places. */
export const headingId = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Where the link leads from a page of the service; null where what it leads to is not served. */
export function servedAt(guide: Guide, href: string, guides: readonly Guide[]): string | null {
  const file = fileOf(guide.file, href);
  if (file === null) return href;
  const served = guides.find((one) => one.file === file);
  return served === undefined ? null : served.path + href.slice(href.indexOf('#') === -1 ? href.length : href.indexOf('#'));
}

function written(guide: Guide, guides: readonly Guide[]): { readonly body: Html; readonly sections: readonly Section[] } {
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
        const at = servedAt(guide, href, guides);
        return at === null ? words.html : html`<a href="${at}">${words}</a>`.html;
      },
      code: ({ text, lang }) => codeOf(text, lang?.split(' ', 1)[0] ?? ''),
      // A comment is for whoever writes the file.
      html: ({ text }) => (/^<!--[^]*-->\s*$/.test(text) ? '' : html`${text}`.html),
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

const names: Readonly<Record<string, string>> = {
  sh: 'Commands',
  json: 'JSON',
  html: 'HTML',
  js: 'JavaScript',
  ts: 'TypeScript',
  php: 'PHP',
};

/** As it stands, to the white space: the template's own indentation is no part of it. */
const codeOf = (text: string, language: string): string =>
  `<pre tabindex="0" aria-label="${html`${names[language] ?? 'Example'}`.html}"><code>${html`${text}`.html}</code></pre>`;

/** A column whose title is empty has none: a heading that says nothing is read out as one. */
const cellOf = (tag: 'th' | 'td', inner: string): string =>
  tag === 'th' && inner !== '' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
const labelOf = (header: readonly Tokens.TableCell[]): string => `Table: ${header.map(({ text }) => text || 'no title').join(', ')}`;

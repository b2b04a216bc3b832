import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexer, walkTokens } from 'marked';

/** A page of docs/ as it is read from its file. */
export type Guide = {
  /** From the root of the project, such as `docs/wire.md`. */
  readonly file: string;
  /** Where it is served. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
};

/** The page that lists all others: the links of its table are the guides, in the order in which they are read. */
export const guidesList = 'docs/README.md';
export const guidesPath = '/docs/guides';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guidesMax = 50;

/** The list itself first. Read once: what is served does not change while the service runs. */
export function readGuides(): readonly Guide[] {
  const list = readGuide(guidesList);
  const [table = ''] = /^\|.*?(?=\n\n)/ms.exec(list.text) ?? [];
  const files = linksOf(table).flatMap((href) => fileOf(list.file, href) ?? []);
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

/** Of links in the running text: what stands in a block of code is none. */
export function linksOf(text: string): readonly string[] {
  const found: string[] = [];
  void walkTokens(lexer(text), (token) => {
    if (token.type === 'link') found.push(String(token['href']));
  });
  return found;
}

/** The file that a link in `from` leads to, without its `#`; null where it leads elsewhere, or stays on the page. */
export function fileOf(from: string, href: string): string | null {
  const [path = ''] = href.split('#', 1);
  if (path === '' || /^([a-z]+:|\/)/i.test(path)) return null;
  return posix.normalize(posix.join(posix.dirname(from), path));
}

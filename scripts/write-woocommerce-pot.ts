/*
 * Writes the texts of the WooCommerce plugin for translators: `npm run woocommerce-pot`. Translations are named
 * languages/tributary-for-woocommerce-<locale>.mo, and are loaded from the folder of the plugin.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { stdout } from 'node:process';

const folder = new URL('../packages/woocommerce/', import.meta.url);
export const potFile = new URL('languages/tributary-for-woocommerce.pot', folder);

type Text = { readonly text: string; readonly comment: string | null; readonly places: string[] };

/** The functions of WordPress that the plugin translates with. Each has the text as its first argument, and the domain as its second. */
const call = /\b(?:__|esc_html__|esc_attr__|esc_html_e|esc_attr_e)\( (?<quoted>'(?:[^'\\]|\\.)*'), 'tributary-for-woocommerce' \)/g;
/** Any call of these functions, also one that `call` does not match. */
const anyCall = /\b(?:__|_e|_x|_n|_nx|esc_html__|esc_html_x|esc_attr__|esc_attr_x|esc_html_e|esc_attr_e)\(/g;
const comment = /\/\* translators: (?<comment>.*?) \*\//g;
const commentLinesMax = 3;

const lineOf = (source: string, index: number): number => source.slice(0, index).split('\n').length;
const unquoted = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(['\\])/g, '$1');
const escaped = (text: string): string => JSON.stringify(text);

export function textsOf(name: string, source: string): readonly Text[] {
  const calls = [...source.matchAll(call)];
  if (calls.length !== [...source.matchAll(anyCall)].length)
    throw new Error(`${name} translates a text that is not one quoted string with the plugin's domain.`);
  const comments = [...source.matchAll(comment)].map(({ index, groups }) => ({
    line: lineOf(source, index),
    text: groups?.['comment'] ?? '',
  }));
  return calls.map(({ index, groups }) => {
    const line = lineOf(source, index);
    const of = comments.findLast((one) => one.line <= line && line - one.line <= commentLinesMax);
    const text = unquoted(groups?.['quoted'] ?? '');
    if (text.includes('%') && /%(?:\d\$)?[sd]/.test(text) && of === undefined)
      throw new Error(`${name}:${line} has a placeholder, and no comment for translators.`);
    return { text, comment: /%(?:\d\$)?[sd]/.test(text) ? (of?.text ?? null) : null, places: [`${name}:${line}`] };
  });
}

export function pot(): string {
  const texts = new Map<string, Text>();
  for (const name of globSync(['*.php', 'includes/*.php'], { cwd: folder }).toSorted()) {
    for (const found of textsOf(name, readFileSync(new URL(name, folder), 'utf8'))) {
      const known = texts.get(found.text);
      if (known === undefined) texts.set(found.text, found);
      else known.places.push(...found.places);
    }
  }
  const version = /^ \* Version: (.+)$/m.exec(readFileSync(new URL('tributary-for-woocommerce.php', folder), 'utf8'))?.[1];
  const head = [
    '# This file is distributed under the MIT license.',
    'msgid ""',
    'msgstr ""',
    `"Project-Id-Version: Tributary for WooCommerce ${version}\\n"`,
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
    '"X-Domain: tributary-for-woocommerce\\n"',
  ];
  const entries = [...texts.values()].map(({ text, comment: note, places }) =>
    [...(note === null ? [] : [`#. translators: ${note}`]), `#: ${places.join(' ')}`, `msgid ${escaped(text)}`, 'msgstr ""'].join('\n'),
  );
  return `${[head.join('\n'), ...entries].join('\n\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(potFile, pot());
  stdout.write('packages/woocommerce/languages/tributary-for-woocommerce.pot\n');
}

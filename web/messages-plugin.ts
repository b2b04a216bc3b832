import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { defaultLanguage, languages, serviceAreas } from '../locales/languages.ts';
import { messageSource } from '../locales/message-source.ts';

const locales = join(import.meta.dirname, '..', 'locales');
const prefix = 'messages:';

export type CatalogFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Compiles message catalogs: `messages:portal` is the English catalog of an area, `messages:language/de` all areas in German, and
 * `messages:languages` loads each of the languages but English.
 * The modules import nothing, because the module that waits for a language may be in the same chunk as anything they could import.
 */
export function messageCatalogs(): Plugin {
  return {
    name: 'message-catalogs',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return null;
      if (id === `\0${prefix}languages`) return loadersSource();
      const [area = '', language] = id.slice(prefix.length + 1).split('/');
      const paths = language === undefined ? [pathOf('en', area)] : areasOf(language).map((name) => pathOf(language, name));
      for (const path of paths) this.addWatchFile(path);
      const catalogs = paths.map((path) => [basename(path, '.json'), JSON.parse(readFileSync(path, 'utf8'))] as const);
      if (language !== undefined) return `export default ${catalogsSource(catalogs)};`;
      return `export default ${catalogSource(catalogs[0]?.[1] ?? {})};`;
    },
  };
}

function loadersSource(): string {
  const translated = languages.filter((language) => language !== defaultLanguage);
  return `export default {${translated.map((language) => `${JSON.stringify(language)}:()=>import('${prefix}language/${language}')`).join(',')}};`;
}

const pathOf = (language: string, area: string): string => join(locales, language, `${area}.json`);

function areasOf(language: string): readonly string[] {
  const folder = join(locales, language);
  if (!existsSync(folder)) return [];
  const areas = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [basename(name, '.json')] : []));
  return areas.filter((area) => !serviceAreas.includes(area));
}

/** The catalogs of a language by their areas. */
export const catalogsSource = (catalogs: ReadonlyArray<readonly [area: string, catalog: CatalogFile]>): string =>
  `{${catalogs.map(([area, catalog]) => `${JSON.stringify(area)}:${catalogSource(catalog)}`).join(',')}}`;

/** A function from the formats of the language to the messages, of which those with arguments are functions. */
function catalogSource(groups: CatalogFile): string {
  const members = Object.entries(groups).map(([group, texts]) => {
    const messages = Object.entries(texts).map(([name, text]) => `${JSON.stringify(name)}:${memberSource(text)}`);
    return `${JSON.stringify(group)}:{${messages.join(',')}}`;
  });
  return `(f)=>({${members.join(',')}})`;
}

function memberSource(text: string): string {
  const { expression, hasArguments } = messageSource(text);
  return hasArguments ? `(d)=>${expression}` : expression;
}

import { dialectWords, exceptions, type FindingKind } from './dialect-words.ts';
import { commentsOf, inspect, locationOf, sqlTemplatesOf, type Source } from './source.ts';

export type Finding = { readonly kind: FindingKind; readonly word: string; readonly location: string };

/** The files that the dialect test reads. */
export const sourcePatterns = [
  'src/**/*.ts',
  'web/src/**/*.{ts,tsx}',
  'locales/**/*.ts',
  'locales/en/*.json',
  '{sdk,cli,demo,scripts,bench}/**/*.{ts,tsx,mjs}',
  'test/**/*.{ts,tsx}',
] as const;

const wordsByFirst = Map.groupBy(dialectWords, ({ word }) => word.split(' ')[0] ?? '');

const findings = new WeakMap<Source, readonly Finding[]>();

/** Every dialect word in identifiers, comments and sentences. An identifier counts once per file. */
export function dialectFindings(source: Source): readonly Finding[] {
  const known = findings.get(source) ?? findDialect(source);
  findings.set(source, known);
  return known;
}

function findDialect(source: Source): readonly Finding[] {
  if (source.path.endsWith('.json')) return findInCatalog(source);
  const found: Finding[] = [];
  const identifiers = new Set<string>();
  const add = (kind: FindingKind, text: string, node: { readonly start: number }) => {
    for (const word of dialectIn(source.path, kind, text)) found.push({ kind, word, location: locationOf(source, node) });
  };
  const addIdentifier = (node: { readonly name: string; readonly start: number }) => {
    // The name of a message is taken from its text, which is checked in the catalog.
    if (identifiers.has(node.name) || /\bt\.(\w+\.)?$/.test(source.text.slice(Math.max(0, node.start - 80), node.start))) return;
    identifiers.add(node.name);
    add('identifier', wordsOfIdentifier(node.name), node);
  };
  // Single words in quotes are names of columns, fields and states; a string with a space is read by people.
  const addSentence = (text: string, node: { readonly start: number }) => {
    if (/\S\s+\S/.test(text)) add('string', text, node);
  };
  inspect(source, {
    Identifier: addIdentifier,
    PrivateIdentifier: addIdentifier,
    JSXIdentifier: addIdentifier,
    JSXText: (node) => addSentence(node.value, node),
    Literal: (node) => typeof node.value === 'string' && addSentence(node.value, node),
    TemplateElement: (node) => !isInSql(source, node) && addSentence(node.value.cooked ?? '', node),
  });
  for (const comment of commentsOf(source)) add('comment', comment.value, comment);
  return found;
}

function findInCatalog({ path, text }: Source): readonly Finding[] {
  const catalog: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(text);
  return Object.entries(catalog).flatMap(([group, messages]) =>
    Object.entries(messages).flatMap(([name, message]) =>
      dialectIn(path, 'string', message).map((word) => ({ kind: 'string' as const, word, location: `${path} ${group}.${name}` })),
    ),
  );
}

export const wordsOfIdentifier = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[_$]+/g, ' ');

/** The exceptions for a file: words, and texts to remove. Null: for all words. */
type Exceptions = { readonly words: ReadonlySet<string>; readonly texts: readonly RegExp[] } | null;
const exceptionsByPath = new Map<string, Exceptions>();

function exceptionsOf(path: string): Exceptions {
  const applicable = exceptions.filter((exception) => path.startsWith(exception.path));
  if (applicable.some(({ word }) => word === '*')) return null;
  return {
    words: new Set(applicable.filter(({ text }) => text === undefined).map(({ word }) => word)),
    texts: applicable.flatMap(({ text }) => text ?? []),
  };
}

function dialectIn(path: string, kind: FindingKind, text: string): readonly string[] {
  const known = exceptionsByPath.get(path);
  const applicable = known === undefined ? exceptionsOf(path) : known;
  exceptionsByPath.set(path, applicable);
  if (applicable === null || dialectWordsIn(text, kind, applicable.words).length === 0) return [];
  const rest = applicable.texts.reduce((kept, exception) => kept.replaceAll(exception, ' '), text);
  return dialectWordsIn(rest, kind, applicable.words);
}

function dialectWordsIn(text: string, kind: FindingKind, ignored: ReadonlySet<string>): readonly string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.flatMap((first, index) =>
    (wordsByFirst.get(first) ?? [])
      .filter(({ word, kinds }) => !ignored.has(word) && (kinds === undefined || kinds.includes(kind)))
      .filter(({ word }) => word === words.slice(index, index + word.split(' ').length).join(' '))
      .map(({ word }) => word),
  );
}

const isInSql = (source: Source, node: { readonly start: number }): boolean =>
  sqlTemplatesOf(source).some(({ start, end }) => start <= node.start && node.start < end);

import { readFileSync } from 'node:fs';
import { programFolder } from '../core/program-folder.ts';
import type { Language } from '../../locales/languages.ts';
import { createFormats, type MessageFormats } from '../../locales/message-formats.ts';
import { invariant } from '../core/invariant.ts';
import type { SayExplanation } from './api-message.ts';
import { compileMessage, type CompiledMessage, type MessageArguments } from './compile-message.ts';
import type { EmailMessages } from './email-messages.ts';
import type { PageMessages } from './page-messages.ts';

export type EmailMessageId = keyof EmailMessages;

/** A message with its arguments, before the language of its reader is known. `emailMessage` creates it. */
export type EmailMessage = { readonly id: EmailMessageId; readonly args: MessageArguments };

type ArgumentsOf<Id extends EmailMessageId> = keyof EmailMessages[Id] extends never ? [] : [args: EmailMessages[Id]];

export const emailMessage = <Id extends EmailMessageId>(id: Id, ...[args]: ArgumentsOf<Id>): EmailMessage => ({ id, args: args ?? {} });

export const formatMessage = (language: Language, { id, args }: EmailMessage): string => format('emails', language, { id, args });

export type PageMessageId = keyof PageMessages;
type PageArguments<Id extends PageMessageId> = keyof PageMessages[Id] extends never ? [] : [args: PageMessages[Id]];
export type PageTexts = <Id extends PageMessageId>(id: Id, ...args: PageArguments<Id>) => string;

/** The texts of the public program page in one language. */
export const pageTexts =
  (language: Language): PageTexts =>
  (id, ...[args]) =>
    format('page', language, { id, args: args ?? {} });

/** The texts of explanations for creators, in another language than English. */
export const explanationTexts =
  (language: Language): SayExplanation =>
  (id, ...[args]) =>
    format('explanations', language, { id, args: args ?? {} });

type Message = { readonly id: string; readonly args: MessageArguments };

/** Compiles a message when it is first used: a process needs few of them, and compiling one takes 60 µs. */
function format(kind: CatalogKind, language: Language, { id, args }: Message): string {
  const key = `${kind} ${language}`;
  const catalog = catalogs.get(key) ?? openCatalog(kind, language);
  catalogs.set(key, catalog);
  const compiled = catalog.compiled.get(id) ?? compile(catalog, id);
  catalog.compiled.set(id, compiled);
  return compiled(catalog.formats, args);
}

type Catalog = {
  readonly texts: CatalogFile;
  readonly formats: MessageFormats;
  readonly compiled: Map<string, CompiledMessage>;
};
type CatalogFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The areas of each kind, whose groups have different names. */
const areas = { emails: ['emails'], page: ['program-page', 'common', 'portal'], explanations: ['api-explanations'] } as const;
type CatalogKind = keyof typeof areas;

const catalogs = new Map<string, Catalog>();

function openCatalog(kind: CatalogKind, language: Language): Catalog {
  const folder = new URL(`locales/${language}/`, programFolder);
  // test/messages/catalogs.test.ts validates every catalog.
  const files = areas[kind].map((area): CatalogFile => JSON.parse(readFileSync(new URL(`${area}.json`, folder), 'utf8')));
  const texts: CatalogFile = Object.assign({}, ...files);
  return { texts, formats: createFormats(language, 'UTC'), compiled: new Map() };
}

function compile({ texts }: Catalog, id: string): CompiledMessage {
  const [group = '', name = ''] = id.split('.');
  const text = texts[group]?.[name];
  invariant(text !== undefined, 'every catalog has every message');
  return compileMessage(text);
}

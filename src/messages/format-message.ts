import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../../locales/languages.ts';
import { createFormats, type MessageFormats } from '../../locales/message-formats.ts';
import { invariant } from '../core/invariant.ts';
import { compileMessage, type CompiledMessage, type MessageArguments } from './compile-message.ts';
import type { EmailMessages } from './email-messages.ts';

export type EmailMessageId = keyof EmailMessages;

/** A message with its arguments, before the language of its reader is known. `emailMessage` creates it. */
export type EmailMessage = { readonly id: EmailMessageId; readonly args: MessageArguments };

type ArgumentsOf<Id extends EmailMessageId> = keyof EmailMessages[Id] extends never ? [] : [args: EmailMessages[Id]];

export const emailMessage = <Id extends EmailMessageId>(id: Id, ...[args]: ArgumentsOf<Id>): EmailMessage => ({ id, args: args ?? {} });

/** Compiles a message when it is first used: a process needs few of them, and compiling one takes 60 µs. */
export function formatMessage(language: Language, { id, args }: EmailMessage): string {
  const catalog = catalogs.get(language) ?? openCatalog(language);
  catalogs.set(language, catalog);
  const format = catalog.compiled.get(id) ?? compile(catalog, id);
  catalog.compiled.set(id, format);
  return format(catalog.formats, args);
}

type Catalog = {
  readonly texts: CatalogFile;
  readonly formats: MessageFormats;
  readonly compiled: Map<EmailMessageId, CompiledMessage>;
};
type CatalogFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

const catalogs = new Map<Language, Catalog>();

function openCatalog(language: Language): Catalog {
  const path = join(import.meta.dirname, '..', '..', 'locales', language, 'emails.json');
  // test/messages/catalogs.test.ts validates every catalog.
  const texts: CatalogFile = JSON.parse(readFileSync(path, 'utf8'));
  return { texts, formats: createFormats(language, 'UTC'), compiled: new Map() };
}

function compile({ texts }: Catalog, id: EmailMessageId): CompiledMessage {
  const [group = '', name = ''] = id.split('.');
  const text = texts[group]?.[name];
  invariant(text !== undefined, 'every catalog has every message');
  return compileMessage(text);
}

import core, { type MessageFunction } from '@messageformat/core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariant } from '../core/invariant.ts';
import { argumentFormatters } from './argument-formatters.ts';
import type { EmailMessages } from './email-messages.ts';
import type { Language } from './languages.ts';

export type EmailMessageId = keyof EmailMessages;

/** A message with its arguments, before the language of its reader is known. `emailMessage` creates it. */
export type EmailMessage = { readonly id: EmailMessageId; readonly args: MessageArguments };
type MessageArguments = Readonly<Record<string, unknown>>;

type ArgumentsOf<Id extends EmailMessageId> = keyof EmailMessages[Id] extends never ? [] : [args: EmailMessages[Id]];

export const emailMessage = <Id extends EmailMessageId>(id: Id, ...[args]: ArgumentsOf<Id>): EmailMessage => ({ id, args: args ?? {} });

/** Compiles a message when it is first used: a process needs few of them, and compiling one takes 60 µs. */
export function formatMessage(language: Language, { id, args }: EmailMessage): string {
  const catalog = catalogs.get(language) ?? openCatalog(language);
  catalogs.set(language, catalog);
  const format = catalog.compiled.get(id) ?? compile(catalog, id);
  catalog.compiled.set(id, format);
  return format(args);
}

/** The package is CommonJS and exports the class, while its types declare an ES default export. */
// oxlint-disable-next-line typescript/consistent-type-assertions
const MessageFormat = core as unknown as typeof core.default;

type Catalog = {
  readonly texts: CatalogFile;
  readonly messageFormat: InstanceType<typeof MessageFormat>;
  readonly compiled: Map<EmailMessageId, MessageFunction<'string'>>;
};
type CatalogFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

const catalogs = new Map<Language, Catalog>();

function openCatalog(language: Language): Catalog {
  const path = join(import.meta.dirname, '..', '..', 'locales', language, 'emails.json');
  // test/messages/catalogs.test.ts validates every catalog.
  const texts: CatalogFile = JSON.parse(readFileSync(path, 'utf8'));
  return { texts, messageFormat: new MessageFormat(language, { customFormatters: argumentFormatters }), compiled: new Map() };
}

function compile({ texts, messageFormat }: Catalog, id: EmailMessageId): MessageFunction<'string'> {
  const [group = '', name = ''] = id.split('.');
  const text = texts[group]?.[name];
  invariant(text !== undefined, 'every catalog has every message');
  return messageFormat.compile(text);
}

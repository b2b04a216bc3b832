import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFormats } from '../../locales/message-formats.ts';
import { invariant } from '../core/invariant.ts';
import type { ApiMessages } from './api-messages.ts';
import { compileMessage, type CompiledMessage } from './compile-message.ts';

export type ApiMessageId = keyof ApiMessages;
type ArgumentsOf<Id extends ApiMessageId> = keyof ApiMessages[Id] extends never ? [] : [args: ApiMessages[Id]];

/**
 * Text of the management API, of postbacks, and of PDFs, which are in English for every reader. A text without arguments is only looked up;
 * a message with arguments is compiled when it is first used.
 */
export function apiMessage<Id extends ApiMessageId>(id: Id, ...[args]: ArgumentsOf<Id>): string {
  const known = messages.get(id);
  invariant(known !== undefined, 'the types name only messages of the catalogs');
  if (typeof known === 'function') return known(formats, args ?? {});
  // Neither an argument nor a quotation, so it is its own format.
  if (!/[{}']/.test(known)) return known;
  const compiled = compileMessage(known);
  messages.set(id, compiled);
  return compiled(formats, args ?? {});
}

const formats = createFormats('en', 'UTC');
const messages = readMessages();

function readMessages(): Map<string, string | CompiledMessage> {
  const folder = join(import.meta.dirname, '..', '..', 'locales', 'en');
  const catalogs = readdirSync(folder).filter((name) => name.startsWith('api-'));
  return new Map(catalogs.flatMap((name) => flatten(JSON.parse(readFileSync(join(folder, name), 'utf8')))));
}

type CatalogFile = Readonly<Record<string, Readonly<Record<string, string>>>>;

function flatten(catalog: CatalogFile): ReadonlyArray<readonly [string, string]> {
  return Object.entries(catalog).flatMap(([group, texts]) => Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text] as const));
}

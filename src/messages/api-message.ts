import { createFormats } from '../../locales/message-formats.ts';
import { invariant } from '../core/invariant.ts';
import { readApiCatalogs, type ApiCatalog } from './api-catalogs.ts';
import type { ApiMessages } from './api-messages.ts';
import type { ExplanationMessages } from './explanation-messages.ts';
import { compileMessage, type CompiledMessage } from './compile-message.ts';

export type ApiMessageId = keyof ApiMessages;
type ArgumentsOf<Id extends ApiMessageId> = keyof ApiMessages[Id] extends never ? [] : [args: ApiMessages[Id]];
/** Formats a text of an explanation that creators can read. In English it is `apiMessage`. */
export type SayExplanation = <Id extends keyof ExplanationMessages>(id: Id, ...args: ArgumentsOf<Id>) => string;

/**
 * Text of the management API, of postbacks, and of PDFs, which are in English for every reader. A text without arguments is only looked up;
 * a message with arguments is compiled when it is first used.
 */
export function apiMessage<Id extends ApiMessageId>(id: Id, ...[args]: ArgumentsOf<Id>): string {
  const text = texts.get(id);
  if (text !== undefined) return text;
  const format = compiled.get(id) ?? compile(id);
  return format(formats, args ?? {});
}

const formats = createFormats('en', 'UTC');
const messages: ReadonlyMap<string, string> = new Map(readApiCatalogs().flatMap(flatten));
/** Messages with neither an argument nor a quotation, so that each is its own result. */
const texts: ReadonlyMap<string, string> = new Map([...messages].filter(([, text]) => !/[{}']/.test(text)));
const compiled = new Map<string, CompiledMessage>();

function compile(id: ApiMessageId): CompiledMessage {
  const text = messages.get(id);
  invariant(text !== undefined, 'the types name only messages of the catalogs');
  const format = compileMessage(text);
  compiled.set(id, format);
  return format;
}

function flatten(catalog: ApiCatalog): ReadonlyArray<readonly [id: string, text: string]> {
  return Object.entries(catalog).flatMap(([group, named]) =>
    Object.entries(named).map(([name, text]) => [`${group}.${name}`, text] as const),
  );
}

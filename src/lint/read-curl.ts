import { postbackPaths } from '../contract/postback-operations.ts';
import type { Operation } from '../contract/reasons.ts';
import { postbackKinds } from './postback-kinds.ts';

/** The relevant parts of a curl command, never the key. */
export type CurlRead = {
  readonly url: string | null;
  readonly method: string;
  /** Null if its URL is not one of the eight operations. */
  readonly operation: Operation | null;
  readonly hasKey: boolean;
  /** Includes the default that curl sends. */
  readonly contentType: string;
  readonly body: string | null;
  /** The name of the file that curl would read the body from. */
  readonly bodyFile: string | null;
};

export const isCurl = (text: string): boolean => /^\s*(\$\s+)?curl(\.exe)?\s/.test(text);

/** The options of curl that take a value, so that the value is not mistaken for the URL. */
const withWord =
  /^(-[AbcCDeEFhKmoPQrtTUuwxXyYzHd]|--(user-agent|user|cookie|output|max-time|connect-timeout|retry|cacert|cert|key|proxy|resolve|write-out|form))$/;
const dataOptions = ['-d', '--data', '--data-ascii', '--data-binary', '--data-raw', '--json'];

export function readCurl(text: string): CurlRead {
  const words = wordsOf(text).slice(1);
  const data: string[] = [];
  const headers: string[] = [];
  let url: string | null = null;
  let method: string | null = null;
  let isJson = false;
  for (let at = 0; at < words.length; at += 1) {
    const { option, value, used } = optionAt(words, at);
    at += used;
    if (option === '-X' || option === '--request') method = value;
    else if (option === '-H' || option === '--header') headers.push(value);
    else if (option === '--url') url = value;
    else if (dataOptions.includes(option)) {
      data.push(value);
      isJson ||= option === '--json';
    } else if (!option.startsWith('-') && option !== '') url ??= option;
  }
  const header = (name: string) =>
    headers
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const file = data.find((value) => value.startsWith('@'))?.slice(1) ?? null;
  return {
    url,
    method: method ?? (data.length > 0 ? 'POST' : 'GET'),
    operation: operationOf(url),
    hasKey: /^bearer +\S/i.test(header('authorization') ?? '') || (header('x-service-postback-key') ?? '') !== '',
    contentType: header('content-type') ?? (isJson ? 'application/json' : 'application/x-www-form-urlencoded'),
    body: data.length === 0 || file !== null ? null : data.join(isJson ? '' : '&'),
    bodyFile: file,
  };
}

type Option = { readonly option: string; readonly value: string; readonly used: number };

/** `-X POST`, `-XPOST`, `--request POST`, and `--request=POST` are equivalent. */
function optionAt(words: readonly string[], at: number): Option {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  const [name = '', ...rest] = word.startsWith('--') ? word.split('=') : [word];
  if (rest.length > 0) return { option: name, value: rest.join('='), used: 0 };
  if (/^-[XHd]./.test(word)) return { option: word.slice(0, 2), value: word.slice(2), used: 0 };
  const takes = withWord.test(word) || dataOptions.includes(word) || ['--request', '--header', '--url'].includes(word);
  return { option: word, value: next, used: takes ? 1 : 0 };
}

const operationOf = (url: string | null): Operation | null => {
  const path = /\/api\/partner-network\/postbacks\/[^/]+\/([^?#\s]+)/.exec(url ?? '')?.[1];
  return postbackKinds.find(({ operation }) => postbackPaths[operation] === path)?.operation ?? null;
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** Splits a shell command into words, with quotes, escapes, and line continuations. Variables are not expanded. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  const pattern = /\\\r?\n|\s+|\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|[^\s'"\\$]+|[^]/g;
  for (const [token, dollar, single, double, escaped] of text.trim().matchAll(pattern)) {
    if (/^(\\\r?\n|\s+)$/.test(token)) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    word = (word ?? '') + tokenText({ token, dollar, single, double, escaped });
  }
  return word === null ? words : [...words, word];
}

type Token = {
  readonly token: string;
  readonly dollar: string | undefined;
  readonly single: string | undefined;
  readonly double: string | undefined;
  readonly escaped: string | undefined;
};

function tokenText({ token, dollar, single, double, escaped }: Token): string {
  if (dollar !== undefined) return dollar.replace(/\\([^])/g, (_all, character: string) => escapes[character] ?? character);
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1').replace(/\\\r?\n/g, '');
  return single ?? escaped ?? token;
}

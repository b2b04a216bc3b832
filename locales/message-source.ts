import { parse, type Token } from '@messageformat/parser';

/**
 * Compiles a message in ICU MessageFormat to a JavaScript expression. `f` are the formats of the language (`message-formats.ts`) and `d`
 * the arguments. A message without arguments compiles to a string literal.
 */
export function messageSource(text: string): { readonly expression: string; readonly hasArguments: boolean } {
  const tokens = parse(text);
  const hasArguments = tokens.some(({ type }) => type !== 'content');
  return { expression: sequence(tokens, null), hasArguments };
}

/** `counted` is the value of `#` inside a plural. */
function sequence(tokens: readonly Token[], counted: string | null): string {
  if (tokens.length === 0) return '""';
  const parts = tokens.map((token) => expressionOf(token, counted));
  // A number added to a number would be their sum.
  return tokens[0]?.type === 'content' ? parts.join('+') : `""+${parts.join('+')}`;
}

function expressionOf(token: Token, counted: string | null): string {
  switch (token.type) {
    case 'content':
      return JSON.stringify(token.value);
    case 'octothorpe':
      return counted === null ? '"#"' : `f.number(${counted})`;
    case 'argument':
      return member(token.arg);
    case 'function':
      return `f.${token.key}(${member(token.arg)})`;
    case 'select':
      return `f.select(${member(token.arg)},${casesOf(token.cases, counted)})`;
    case 'plural':
    case 'selectordinal': {
      if (token.pluralOffset !== undefined) throw new Error(`{${token.arg}} has an offset, which is not supported`);
      const value = member(token.arg);
      return `f.plural(${value},${casesOf(token.cases, value)}${token.type === 'selectordinal' ? ',true' : ''})`;
    }
  }
}

const casesOf = (cases: ReadonlyArray<{ readonly key: string; readonly tokens: readonly Token[] }>, counted: string | null): string =>
  `{${cases.map(({ key, tokens }) => `${JSON.stringify(key)}:()=>${sequence(tokens, counted)}`).join(',')}}`;

/** In brackets, because names of arguments can be numbers. */
const member = (name: string): string => `d[${JSON.stringify(name)}]`;

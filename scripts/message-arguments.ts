import { parse, type Token } from '@messageformat/parser';

/** The messages of a catalog by their ID, `group.name`. */
export function flattenCatalog(catalog: unknown): ReadonlyMap<string, string> {
  const groups = Object.entries(catalog as Readonly<Record<string, Readonly<Record<string, string>>>>);
  return new Map(groups.flatMap(([group, texts]) => Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text] as const)));
}

const functionTypes: Readonly<Record<string, string>> = {
  money: 'Cents',
  day: 'Date',
  moment: 'Date',
  percent: 'number',
  number: 'number',
};

/** The arguments of a message with their TypeScript types. The type of an argument that is used twice is the narrower one. */
export function listArguments(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (tokens: readonly Token[]) => {
    for (const token of tokens) {
      if (token.type === 'content' || token.type === 'octothorpe') continue;
      const type = typeOf(token);
      if (type !== plainType || !found.has(token.arg)) found.set(token.arg, type);
      if ('cases' in token) for (const { tokens: nested } of token.cases) visit(nested);
    }
  };
  visit(parse(text));
  return found;
}

const plainType = 'string | number';

function typeOf(token: Exclude<Token, { type: 'content' | 'octothorpe' }>): string {
  switch (token.type) {
    case 'argument':
      return plainType;
    case 'function': {
      const type = functionTypes[token.key];
      if (type === undefined) throw new Error(`{${token.arg}, ${token.key}} has an unknown type`);
      return type;
    }
    case 'select':
      return token.cases.map(({ key }) => `'${key}'`).join(' | ');
    case 'plural':
    case 'selectordinal':
      return 'number';
  }
}

/** The fields that a GraphQL document selects. Enough for stand-ins: no directives, variables in arguments are skipped. */
type Selection = ReadonlyMap<string, Selection>;

type GraphqlDocument = { readonly operation: string; readonly name: string; readonly selection: Selection };

export function parseGraphql(document: string): GraphqlDocument {
  const tokens: readonly string[] = document.match(/"(?:[^"\\]|\\.)*"|[{}()]|[^\s{}()",]+/g) ?? [];
  const [operation = '', name = ''] = tokens;
  let place = tokens.indexOf('{', skipArguments(tokens, 2));
  const read = (): Selection => {
    const fields = new Map<string, Selection>();
    for (place += 1; tokens[place] !== '}';) {
      const field = tokens[place] ?? '';
      place = skipArguments(tokens, place + 1);
      if (tokens[place] === '{') {
        fields.set(field, read());
        place += 1;
      } else fields.set(field, new Map());
      if (place >= tokens.length) throw new Error('The document ends within a selection.');
    }
    return fields;
  };
  return { operation, name, selection: read() };
}

function skipArguments(tokens: readonly string[], start: number): number {
  if (tokens[start] !== '(') return start;
  let depth = 0;
  for (let place = start; place < tokens.length; place += 1) {
    if (tokens[place] === '(') depth += 1;
    if (tokens[place] === ')') depth -= 1;
    if (depth === 0) return place + 1;
  }
  throw new Error('An argument list has no end.');
}

/** What the selection takes of a value. A field that the value lacks is an error, as in GraphQL. */
export function select(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((one) => select(one, selection));
  if (value === null || selection.size === 0) {
    if (typeof value === 'object' && value !== null) throw new Error('A field of an object type needs a selection.');
    return value;
  }
  if (typeof value !== 'object') throw new Error('A scalar field has no selection.');
  return Object.fromEntries(
    [...selection].map(([field, below]) => {
      if (!(field in value)) throw new Error(`Field '${field}' doesn't exist on the type.`);
      return [field, select(Reflect.get(value, field), below)];
    }),
  );
}

import type { Operation, Schema } from './openapi-document.ts';

const depthMax = 5;

/** Ids by the names that they have in paths (`store`, `program`), and `id` for what the operation itself is about. */
export type KnownIds = Readonly<Record<string, string>>;

/** A believable value of a schema: what it says itself, else what fits its name and type. */
export function exampleOf(ids: KnownIds, schema: Schema, name = '', depth = 0): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(ids, schema.anyOf[0], name, depth);
  if (schema.items) return depth < depthMax ? [exampleOf(ids, schema.items, singular(name), depth + 1)] : [];
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types[0]) {
    case 'object':
      return objectOf(ids, schema, depth);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return true;
    case 'string':
      // Most times that may be missing are of things that have not happened yet.
      return types.includes('null') && name.endsWith('_at') ? null : (ids[name.replace(/_id$/, '')] ?? textNamed(name));
    default:
      return null;
  }
}

function objectOf(ids: KnownIds, { properties = {} }: Schema, depth: number): unknown {
  if (depth >= depthMax) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(ids, field, name, depth + 1)]));
}

const singular = (name: string): string => name.replace(/s$/, '');

function numberOf({ minimum = 0, maximum = Infinity }: Schema, name: string): number {
  const wished = exampleNumbers.find(([shape]) => shape.test(name))?.[1] ?? 1;
  return Math.min(Math.max(wished, minimum), maximum);
}

const exampleNumbers: ReadonlyArray<readonly [name: RegExp, number: number]> = [
  [/(_cents|minor_units)$/, 12_000],
  [/basis_points$/, 1_000],
  [/days$/, 30],
];

const exampleTexts: ReadonlyArray<readonly [name: RegExp, text: string]> = [
  [/(_at|_from|_until|^at|^from|^to|^now)$/, '2027-03-01T12:00:00.000Z'],
  [/^(site_)?url$/, 'https://shop.example'],
  [/url$/, 'https://shop.example/welcome'],
  [/email$/, 'ada@shop.example'],
  [/^product_id$/, 'sku-a'],
  [/^price_id$/, 'price-monthly'],
  [/^(order|invoice)_id$/, 'A-1001'],
  [/^id$|_id$/, '01jpht9h8f7x7s9rsrkg8wq3dg'],
  [/name$/, 'Riverside Books'],
  [/^currency$/, 'USD'],
  [/^next_cursor$/, 'WyIwMTk1YTNjNCJd'],
  [/^period$/, '2027-03'],
  [/last4$/, '7Qx2'],
  [/host$/, 'shop.example'],
];

const textNamed = (name: string): string => exampleTexts.find(([shape]) => shape.test(name))?.[1] ?? '…';

/** The body with what must be there, or with its first field where nothing must. */
function exampleBody(ids: KnownIds, schema: Schema): unknown {
  const names = schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(ids, schema.properties?.[name] ?? {}, name)]));
}

/** The operation as a line for a terminal; `$KEY` and `$BASE` are the reader's. */
export function exampleCurl(ids: KnownIds, { method, path, operation }: PlacedOperation): string {
  const { parameters, requestBody, security } = operation;
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) => ids[name] ?? `<${name}>`);
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(ids, schema, name)))}`).join('&');
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? '' : JSON.stringify(exampleBody(ids, schema), null, 2).replaceAll("'", String.raw`'\''`);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${filled}${query === '' ? '' : `?${query}`}"`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === '' ? [] : ["-H 'Content-Type: application/json'", `-d '${body}'`]),
  ];
  return lines.join(' \\\n  ');
}

export type PlacedOperation = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The ids that stand for an operation's own: those of its path, and as `id` that of what it makes, lists or changes. */
export function idsKnownTo(path: string, all: readonly PlacedOperation[]): KnownIds {
  const examples = all.flatMap(({ operation }) =>
    operation.parameters.flatMap(({ name, schema }) => (schema.examples ? [[name, String(schema.examples[0])]] : [])),
  );
  const ids: KnownIds = Object.fromEntries(examples);
  const below = all.find((one) => one.path.startsWith(`${path}/{`) && one.path.indexOf('/', path.length + 2) === -1);
  const own = [...(below?.path ?? path).matchAll(/\{([^}]+)\}/g)].at(-1)?.[1] ?? '';
  return { ...ids, id: ids[own] ?? '…' };
}

import type { Schema } from './openapi-document.ts';

/**
 * Simplifies a TypeBox schema, which is JSON Schema already, for readers and code generators: a union of constants becomes an `enum`, a
 * nullable type gets the second type `null`, a record gets `additionalProperties`, and a bigint becomes an integer.
 */
export function plainSchema(schema: object): Schema {
  return plain(schema) as Schema;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return simplified(Object.fromEntries(Object.entries(value).map(([name, held]) => [name, plain(held)])));
}

type Keywords = Readonly<Record<string, unknown>>;

function simplified(schema: Keywords): Keywords {
  if (schema['type'] === 'bigint') return { ...schema, type: 'integer' };
  const record = recordOf(schema);
  if (record !== null) return record;
  const { anyOf, ...others } = schema;
  if (Array.isArray(anyOf)) return { ...others, ...(enumOf(anyOf) ?? nullableOf(anyOf) ?? { anyOf }) };
  if (Array.isArray(schema['enum']) && schema['type'] === undefined && schema['enum'].every(isText)) return { type: 'string', ...schema };
  return schema;
}

/** TypeBox describes the values of any key by a pattern, which generators of types do not read. */
function recordOf({ patternProperties, ...others }: Keywords): Keywords | null {
  if (typeof patternProperties !== 'object' || patternProperties === null) return null;
  const [only, ...more] = Object.entries(patternProperties);
  return only?.[0] === '^.*$' && more.length === 0 ? { ...others, additionalProperties: only[1] } : null;
}

function enumOf(choices: readonly Keywords[]): Keywords | null {
  const words = choices.map((choice) => choice['const']);
  return words.every(isText) ? { type: 'string', enum: words } : null;
}

function nullableOf(choices: readonly Keywords[]): Keywords | null {
  const others = choices.filter((choice) => choice['type'] !== 'null');
  const [only] = others;
  if (others.length !== 1 || choices.length !== 2 || only === undefined || !isText(only['type'])) return null;
  // A named shape stays whole, so that it can be referred to.
  if (isText(only['title'])) return null;
  const words = only['const'] === undefined ? only['enum'] : [only['const']];
  const { const: _word, ...rest } = only;
  return { ...rest, type: [only['type'], 'null'], ...(Array.isArray(words) ? { enum: [...words, null] } : {}) };
}

const isText = (value: unknown): value is string => typeof value === 'string';

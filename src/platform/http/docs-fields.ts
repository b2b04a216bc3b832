import type { Schema } from './openapi-document.ts';

/** A line of a table of fields. */
export type FieldRow = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly rules: readonly string[] };

const depthMax = 4;

/** The fields of an object, those of objects in it below them: `rules[].product_id`. */
export function fieldRows(schema: Schema, prefix = '', depth = 0): readonly FieldRow[] {
  if (depth >= depthMax) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const row = { name: prefix + name, type: typeOf(field), isRequired, rules: rulesOf(field) };
    return [row, ...fieldRows(innerOf(field), `${prefix}${name}${isList(field) ? '[]' : ''}.`, depth + 1)];
  });
}

const isList = (schema: Schema): boolean => schema.items !== undefined;

function innerOf(schema: Schema): Schema {
  if (schema.items) return innerOf(schema.items);
  return schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
}

const typeWords: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false', integer: 'whole number', null: 'null' };

export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items).replace(/^(object|text|whole number)\b/, '$1s')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'anything' : types.map((type) => typeWords[type] ?? type).join(' or ');
}

/** What holds for a value, in words. */
export function rulesOf(schema: Schema): readonly string[] {
  const { description, enum: words, default: usual, items } = schema;
  return [
    ...(description === undefined ? [] : [description]),
    ...(words === undefined ? [] : [`one of ${words.map((word) => `\`${String(word)}\``).join(', ')}`]),
    ...rangeOf(schema.minimum, schema.maximum, ''),
    ...rangeOf(schema.minLength, schema.maxLength, 'characters'),
    ...rangeOf(schema.minItems, schema.maxItems, 'items'),
    ...idRule(schema),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
    ...(items === undefined ? [] : rulesOf(items).map((rule) => `each: ${rule}`)),
    ...(schema.anyOf ?? []).flatMap(rulesOf),
  ];
}

const figure = (value: number): string => value.toLocaleString('en-US');

function rangeOf(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const words = (text: string) => [`${text} ${unit}`.trim()];
  if (least !== undefined && most !== undefined) return words(`${figure(least)} to ${figure(most)}`);
  if (most !== undefined) return words(`at most ${figure(most)}`);
  return least === undefined || (least === 1 && unit !== '') ? [] : words(`at least ${figure(least)}`);
}

/** A pattern is for programs. That of an id says something to people: its prefix. */
function idRule({ pattern }: Schema): readonly string[] {
  const prefix = /^\^([a-z]+_)\[0-7\]/.exec(pattern ?? '')?.[1];
  return prefix === undefined ? [] : [`an id, \`${prefix}…\``];
}

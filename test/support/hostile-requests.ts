import { exampleOf } from '../../src/http/api-docs-page.ts';
import type { OpenApi, Operation, Schema } from '../../src/http/openapi-document.ts';
import { undescribedIn } from './described-responses.ts';
import type { FullWorld } from './isolation-world.ts';

export type Placed = { readonly method: string; readonly path: string; readonly operation: Operation };

export const operationsOf = ({ paths }: OpenApi): readonly Placed[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );

/** The path with the IDs of a sandbox, or null if the sandbox has no such object. */
export function pathIn({ ids }: FullWorld, path: string): string | null {
  let filled = path;
  for (const { 0: name, index } of [...path.matchAll(/\{\w+\}/g)].toReversed()) {
    const id = ids[path.slice('/api/v1'.length, index + name.length)];
    if (id === undefined) return null;
    filled = filled.slice(0, index) + id + filled.slice(index + name.length);
  }
  return filled;
}

/** The path with one parameter replaced, valid IDs before it, and an invalid ID after it. */
export function pathWith(world: FullWorld, path: string, parameter: string, value: string): string | null {
  const before = pathIn(world, path.slice(0, path.indexOf(parameter)));
  return before === null ? null : `${before}${value}${path.slice(path.indexOf(parameter) + parameter.length).replaceAll(/\{\w+\}/g, 'x')}`;
}

/** Required query parameters, each with a valid value: all of them are months today. */
export const neededQuery = ({ parameters }: Operation): string =>
  parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=2026-03`)
    .join('&');

export const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined => requestBody?.content['application/json']?.schema;

export const knownIn = ({ merchant: { world } }: FullWorld) => ({
  store: world.store.id,
  program: world.program.id,
  creator: world.creator.id,
});

/** A body as an example of its schema, or null if the operation reads none. */
export function exampleBodyOf(world: FullWorld, operation: Operation): string | null {
  const schema = bodySchemaOf(operation);
  return schema === undefined ? null : JSON.stringify(exampleOf(knownIn(world), schema));
}

const hostileText = '@hostile@';

/** A body with a hostile text in it: `field` says where, `with` contains it as JSON, because not every text can be a value here. */
export type BodyWithText = { readonly field: string; readonly with: (text: string) => string };

/** One body for each text field of a schema, and for each field name that it leaves open. */
export function bodiesWithText(world: FullWorld, operation: Operation): readonly BodyWithText[] {
  const schema = bodySchemaOf(operation);
  if (schema === undefined) return [];
  return variantsOf(knownIn(world), schema, '').map(({ field, value }) => {
    const json = JSON.stringify(value);
    return { field, with: (text) => json.replace(`"${hostileText}"`, () => text) };
  });
}

type Variant = { readonly field: string; readonly value: unknown };
type Known = Readonly<Record<string, string>>;

function variantsOf(known: Known, schema: Schema, field: string): readonly Variant[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => variantsOf(known, one, field));
  if (schema.items !== undefined) return variantsOf(known, schema.items, `${field}[]`).map((one) => ({ ...one, value: [one.value] }));
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const example = Object(exampleOf(known, schema)) as Readonly<Record<string, unknown>>;
    return Object.entries(properties).flatMap(([name, of]) =>
      variantsOf(known, of, field === '' ? name : `${field}.${name}`).map((one) => ({ ...one, value: { ...example, [name]: one.value } })),
    );
  }
  if (typeof additionalProperties === 'object')
    return [
      { field: `the name of a field in ${field}`, value: { [hostileText]: exampleOf(known, additionalProperties) } },
      ...variantsOf(known, additionalProperties, `${field}.*`).map((one) => ({ ...one, value: { one: one.value } })),
    ];
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.includes('string') || types.length === 0 ? [{ field, value: hostileText }] : [];
}

export type Sent = {
  readonly method: string;
  readonly at: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
};
export type Answer = { readonly status: number; readonly text: string; readonly wrong: string | null };

const pauseMs = 500;
const triesMax = 20;
const shownMax = 300;

/** Sends a request, repeats it when it is over the rate limit, and returns any 5xx or undescribed part of the response. */
export async function sendHostile(url: string, { method, at, headers = {}, body = null }: Sent): Promise<Answer> {
  const type: Readonly<Record<string, string>> = body === null ? {} : { 'content-type': 'application/json' };
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${url}${at}`, { method, headers: { ...type, ...headers }, body });
    const text = await response.text();
    if (response.status === 429 && tries < triesMax && Number(response.headers.get('retry-after') ?? 1) <= 1) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      continue;
    }
    const contentType = response.headers.get('content-type') ?? '';
    const isJson = contentType.startsWith('application/json');
    const problem =
      response.status >= 500
        ? `answered ${response.status}: ${text.slice(0, shownMax)}`
        : undescribedIn({ method, path: at, status: response.status, contentType, text: isJson ? text : null });
    const shown = `${method} ${at.slice(0, shownMax)} ${JSON.stringify(headers).slice(0, shownMax)} ${body?.slice(0, shownMax) ?? ''}`;
    return { status: response.status, text, wrong: problem === null ? null : `${shown}: ${problem}` };
  }
}

/** Runs several concurrently, in order. */
export async function eachOf<Value>(values: readonly Value[], atOnce: number, work: (value: Value) => Promise<void>): Promise<void> {
  const waiting = values.values();
  const worker = async (): Promise<void> => {
    for (const value of waiting) await work(value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

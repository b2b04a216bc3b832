import type { paths } from '../../../sdk/src/api-schema.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths of the OpenAPI document that have an operation with this method. */
export type PathWith<M extends Method> = { [P in keyof paths]: M extends keyof paths[P] ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never;
type Success<O> = O extends { readonly responses: infer All }
  ? { [Status in keyof All]: Status extends 200 | 201 | 202 ? All[Status] : never }[keyof All]
  : never;

/** The JSON body of a successful response; undefined where it has none. */
export type Output<P extends keyof paths, M extends Method> = [Success<Operation<P, M>>] extends [never]
  ? undefined
  : Success<Operation<P, M>> extends { readonly content: { readonly 'application/json': infer Json } }
    ? Json
    : undefined;

/** The JSON body of a request; undefined where the operation takes none. */
export type RequestBody<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { readonly requestBody: { readonly content: { readonly 'application/json': infer Json } } } ? Json : undefined;

/** The lists that have pages, and their rows. */
export type ListPath = {
  [P in PathWith<'get'>]: Output<P, 'get'> extends { readonly next_cursor: string | null } ? P : never;
}[PathWith<'get'>];
export type Row<P extends ListPath> = Output<P, 'get'> extends { readonly data: ReadonlyArray<infer One> } ? One : never;

/** The query parameters of an operation. The URL holds filters as text, and the service validates them; the names are checked here. */
type Query<P extends keyof paths> = paths[P] extends { readonly get: { readonly parameters: { readonly query?: infer Fields } } }
  ? { readonly [Name in keyof Fields]?: Fields[Name] | string | undefined }
  : Readonly<Record<string, never>>;

type ParameterIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterIn<Rest> : never;
type Parameters<P extends string> = { readonly [Name in ParameterIn<P>]: string };

declare const template: unique symbol;

/** A path below `/api/v1` with its parameters filled in, which remembers the template it came from. */
export type ApiPath<P extends keyof paths> = string & { readonly [template]: P };

/** A path without parameters may be written as it is. */
export type PathTo<P extends keyof paths> = ApiPath<P> | WithoutParameters<P>;
type WithoutParameters<P extends keyof paths> = P extends unknown ? ([ParameterIn<P>] extends [never] ? P : never) : never;

/** Fills in the parameters of a path, and adds the query parameters that are given. */
export function apiPath<P extends keyof paths>(path: P, parameters: Parameters<P>, query: Query<P> = {} as Query<P>): ApiPath<P> {
  const values: Readonly<Record<string, string>> = parameters;
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));
  return `${filled}${queryString(query)}` as ApiPath<P>;
}

type QueryFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Adds query parameters to a path. */
export function withQuery<Path extends string>(path: Path, fields: QueryFields): Path {
  const query = queryString(fields);
  return `${path}${path.includes('?') ? query.replace('?', '&') : query}` as Path;
}

/** A query string with its question mark; empty fields are dropped. */
function queryString(fields: QueryFields): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== '') given.set(name, String(value));
  const query = given.toString();
  return query === '' ? '' : `?${query}`;
}

import type { TObject, TOptional, TSchema } from 'typebox';

/**
 * The type of the values that a schema describes, for the kinds of schemas that we use. It is equal to `Static` of TypeBox, which supports
 * all of JSON Schema and takes the compiler longer than all types of our own.
 */
export type Static<Schema extends TSchema> = Schema extends { readonly '~kind': infer Kind extends keyof Kinds<Schema> }
  ? Kinds<Schema>[Kind]
  : unknown;

type Kinds<Schema> = {
  readonly String: string;
  readonly Integer: number;
  readonly Number: number;
  readonly BigInt: bigint;
  readonly Boolean: boolean;
  readonly Null: null;
  readonly Unknown: unknown;
  readonly Literal: Schema extends { readonly const: infer Value } ? Value : never;
  readonly Enum: Schema extends { readonly enum: ReadonlyArray<infer Value> } ? Value : never;
  readonly Array: Schema extends { readonly items: infer Item extends TSchema } ? Array<Static<Item>> : never;
  readonly Tuple: Schema extends { readonly items: infer Items extends readonly TSchema[] }
    ? { -readonly [Index in keyof Items]: Static<Items[Index]> }
    : never;
  readonly Union: Schema extends { readonly anyOf: ReadonlyArray<infer Part extends TSchema> } ? Static<Part> : never;
  readonly Record: Schema extends { readonly patternProperties: infer Patterns extends Record<string, TSchema> }
    ? Record<string, Static<Patterns[keyof Patterns]>>
    : never;
  readonly Object: Schema extends TObject<infer Fields> ? ObjectOf<Fields> : never;
};

type OptionalKeys<Fields> = { [Key in keyof Fields]: Fields[Key] extends TOptional ? Key : never }[keyof Fields];

type ObjectOf<Fields extends Record<PropertyKey, TSchema>> = Flat<
  { [Key in Exclude<keyof Fields, OptionalKeys<Fields>>]: Static<Fields[Key]> } & {
    [Key in OptionalKeys<Fields>]?: Static<Fields[Key]>;
  }
>;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

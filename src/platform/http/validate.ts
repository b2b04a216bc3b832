import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldFault } from './answers.ts';
import { patternWords } from './fields.ts';

export type Validated<Value> =
  | { readonly is: 'good'; readonly value: Value }
  | { readonly is: 'wrong'; readonly errors: readonly FieldFault[] };

const validators = new WeakMap<TSchema, Validator>();
const errorsMax = 20;

/** Compiled at the first use, not at the start: a start has no time for schemas that nobody asks for today. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = Compile(schema);
  validators.set(schema, made);
  return made;
}

/** A body is judged as it is: "10" is no number. */
export function validate<Schema extends TSchema>(schema: Schema, value: unknown): Validated<Static<Schema>> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return { is: 'good', value: value as Static<Schema> };
  return { is: 'wrong', errors: faultsIn(validator.Errors(value)).slice(0, errorsMax) };
}

/** A query's values are text: numbers and booleans are read from it first. */
export function validateQuery<Schema extends TSchema>(schema: Schema, value: unknown): Validated<Static<Schema>> {
  return validate(schema, validatorOf(schema).Convert(value));
}

/** The library tells each branch of a choice, and each word that it is not. A person is told once for each field, with the words. */
function faultsIn(errors: readonly TLocalizedValidationError[]): readonly FieldFault[] {
  // Beside `additionalProperties` each field that is not known is told a second time, as one whose schema is false.
  const told = errors.filter(({ keyword }) => keyword !== 'boolean');
  return [...Map.groupBy(told, ({ instancePath }) => instancePath)].flatMap(([path, here]) => {
    const isToldBelow = told.some(({ instancePath }) => instancePath.startsWith(`${path}/`));
    return faultsAt(path.slice(1).replaceAll('/', '.'), here, isToldBelow);
  });
}

function faultsAt(place: string, here: readonly TLocalizedValidationError[], isToldBelow: boolean): readonly FieldFault[] {
  const named = here.flatMap((error) => namedBy(error, place));
  const words = here.flatMap(wordsOf);
  const field = place === '' ? 'body' : place;
  if (words.length > 0) return [...named, { field, message: oneOf(words) }];
  const plain = here.filter((error) => !isOfNames(error) && !isOfChoice(error));
  if (plain.length > 0) return [...named, ...plain.map((error) => ({ field, message: messageOf(error) }))];
  const [first] = here;
  return named.length > 0 || isToldBelow || first === undefined ? named : [{ field, message: first.message }];
}

/** A pattern says nothing to a person; those of names have words of their own. */
const messageOf = (error: TLocalizedValidationError): string =>
  (error.keyword === 'pattern' ? patternWords.get(String(error.params.pattern)) : undefined) ?? error.message;

const isOfNames = ({ keyword }: TLocalizedValidationError): boolean => keyword === 'required' || keyword === 'additionalProperties';
/** What may be null too is told as what else it may be. */
const isOfChoice = (error: TLocalizedValidationError): boolean =>
  error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null');

function namedBy(error: TLocalizedValidationError, place: string): readonly FieldFault[] {
  const below = (name: string) => (place === '' ? name : `${place}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: below(name), message: 'is required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ field: below(name), message: 'is not a field of this request' }));
    default:
      return [];
  }
}

function wordsOf(error: TLocalizedValidationError): readonly unknown[] {
  if (error.keyword === 'const') return [error.params.allowedValue];
  return error.keyword === 'enum' ? error.params.allowedValues : [];
}

const oneOf = (words: readonly unknown[]): string => `must be ${words.length === 1 ? '' : 'one of: '}${words.join(', ')}`;

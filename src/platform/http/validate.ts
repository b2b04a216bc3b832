import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldFault } from './answers.ts';

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
  return { is: 'wrong', errors: validator.Errors(value).slice(0, errorsMax).flatMap(faultsOf) };
}

/** A query's values are text: numbers and booleans are read from it first. */
export function validateQuery<Schema extends TSchema>(schema: Schema, value: unknown): Validated<Static<Schema>> {
  return validate(schema, validatorOf(schema).Convert(value));
}

function faultsOf(error: TLocalizedValidationError): readonly FieldFault[] {
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  const below = (name: string) => (place === '' ? name : `${place}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: below(name), message: 'is required' }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ field: below(name), message: 'is not a field of this request' }));
    default:
      return [{ field: place === '' ? 'body' : place, message: error.message }];
  }
}

import type { TSchema } from 'typebox';
import type { Static } from '../core/static.ts';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { FieldError } from './responses.ts';
import { patternMessages } from './fields.ts';
import { apiMessage } from '../messages/api-message.ts';

export type Validated<Value> =
  | { readonly is: 'good'; readonly value: Value }
  | { readonly is: 'wrong'; readonly errors: readonly FieldError[] };

const validators = new WeakMap<TSchema, Validator>();
const errorsMax = 20;

/** Compiles a schema at its first use, to keep the start fast. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const made = Compile(schema);
  validators.set(schema, made);
  return made;
}

/** Validates without conversion: "10" is not a number. */
export function validate<Schema extends TSchema>(schema: Schema, value: unknown): Validated<Static<Schema>> {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return { is: 'good', value: value as Static<Schema> };
  return { is: 'wrong', errors: fieldErrors(validator.Errors(value)).slice(0, errorsMax) };
}

/** Query values are text, so numbers and booleans are converted first. */
export function validateQuery<Schema extends TSchema>(schema: Schema, value: unknown): Validated<Static<Schema>> {
  return validate(schema, validatorOf(schema).Convert(value));
}

/** The library reports each branch of a union and each constant separately. This returns one error per field, with the allowed values. */
function fieldErrors(errors: readonly TLocalizedValidationError[]): readonly FieldError[] {
  // Besides `additionalProperties`, the library reports each unknown field a second time, with the keyword `boolean`.
  const reported = errors.filter(({ keyword }) => keyword !== 'boolean');
  return [...Map.groupBy(reported, ({ instancePath }) => instancePath)].flatMap(([path, here]) => {
    const hasErrorsBelow = reported.some(({ instancePath }) => instancePath.startsWith(`${path}/`));
    return errorsOfField(path.slice(1).replaceAll('/', '.'), here, hasErrorsBelow);
  });
}

function errorsOfField(place: string, here: readonly TLocalizedValidationError[], hasErrorsBelow: boolean): readonly FieldError[] {
  const named = here.flatMap((error) => nameErrors(error, place));
  const values = here.flatMap(allowedValues);
  const field = place === '' ? 'body' : place;
  if (values.length > 0) return [...named, { field, message: oneOf(values) }];
  const plain = here.filter((error) => !isAboutNames(error) && !isAboutUnion(error));
  if (plain.length > 0) return [...named, ...plain.map((error) => ({ field, message: messageOf(error) }))];
  const [first] = here;
  return named.length > 0 || hasErrorsBelow || first === undefined ? named : [{ field, message: first.message }];
}

/** A pattern is not readable for people, so known patterns have their own messages. */
const messageOf = (error: TLocalizedValidationError): string =>
  (error.keyword === 'pattern' ? patternMessages.get(String(error.params.pattern)) : undefined) ?? error.message;

const isAboutNames = ({ keyword }: TLocalizedValidationError): boolean => keyword === 'required' || keyword === 'additionalProperties';
/** Errors about the `null` branch of a nullable type are left out. */
const isAboutUnion = (error: TLocalizedValidationError): boolean =>
  error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null');

function nameErrors(error: TLocalizedValidationError, place: string): readonly FieldError[] {
  const below = (name: string) => (place === '' ? name : `${place}.${name}`);
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => ({ field: below(name), message: apiMessage('shared.required') }));
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => ({ field: below(name), message: apiMessage('validate.not_field_request') }));
    default:
      return [];
  }
}

function allowedValues(error: TLocalizedValidationError): readonly unknown[] {
  if (error.keyword === 'const') return [error.params.allowedValue];
  return error.keyword === 'enum' ? error.params.allowedValues : [];
}

const oneOf = (values: readonly unknown[]): string => `must be ${values.length === 1 ? '' : 'one of: '}${values.join(', ')}`;

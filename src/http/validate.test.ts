import { Type as T } from 'typebox';
import { expect, test } from 'vitest';
import { validate } from './validate.ts';

const word = T.Union([T.Literal('manual'), T.Literal('auto')]);
const schema = T.Object(
  {
    approval: T.Optional(word),
    perhaps: T.Optional(T.Union([word, T.Null()])),
    role: T.Optional(T.Enum(['owner', 'viewer'])),
    only: T.Optional(T.Literal('USD')),
    inner: T.Optional(T.Object({ approval: word })),
    days: T.Optional(T.Union([T.Integer({ minimum: 3 }), T.Null()])),
  },
  { additionalProperties: false },
);
const errorsOf = (value: unknown) => {
  const validated = validate(schema, value);
  return validated.is === 'good' ? [] : validated.errors.map(({ field, message }) => `${field} ${message}`);
};

test.each<[what: string, value: unknown, errors: readonly string[]]>([
  ['a word that is none of the choice', { approval: 'later' }, ['approval must be one of: manual, auto']],
  ['one deeper', { inner: { approval: 1 } }, ['inner.approval must be one of: manual, auto']],
  ['one of a list', { role: 'king' }, ['role must be one of: owner, viewer']],
  ['the only word', { only: 'EUR' }, ['only must be USD']],
  ['a number too small, where null is allowed too', { days: 2 }, ['days must be >= 3']],
  ['a choice that may be null too', { perhaps: 'later' }, ['perhaps must be one of: manual, auto']],
  ['what is missing below', { inner: {} }, ['inner.approval is required']],
  ['what has another type', { days: 'x', inner: 7 }, ['inner must be object', 'days must be integer']],
  ['what is no object', [], ['body must be object']],
  ['a field that is not known', { more: 1 }, ['more is not a field of this request']],
])('%s is reported once, with the allowed values', (_what, value, errors) => {
  expect(errorsOf(value)).toEqual(errors);
});

test('valid input has no errors', () => {
  expect(errorsOf({ approval: 'auto', perhaps: null, role: 'owner', only: 'USD', days: null })).toEqual([]);
});

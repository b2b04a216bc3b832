import { Type as T, type Static as TypeBoxStatic } from 'typebox';
import { expectTypeOf, test } from 'vitest';
import type { Static } from './static.ts';

const fields = {
  text: T.String(),
  count: T.Integer(),
  share: T.Number(),
  total: T.BigInt(),
  flag: T.Boolean(),
  nothing: T.Null(),
  any: T.Unknown(),
  fixed: T.Literal('a'),
  choice: T.Enum(['a', 'b']),
  list: T.Array(T.Object({ id: T.String() })),
  pair: T.Tuple([T.String(), T.Integer()]),
  either: T.Union([T.String(), T.Null(), T.Object({ id: T.Optional(T.String()) })]),
  byName: T.Record(T.String(), T.Integer()),
  perhaps: T.Optional(T.Array(T.String())),
};
const whole = T.Object(fields);
const partial = T.Partial(whole);
const allOptional = T.Object({ perhaps: T.Optional(T.String()) });
const empty = T.Object({});

test('the type of the values of a schema is the same as the one of TypeBox', () => {
  expectTypeOf<Static<typeof whole>>().toEqualTypeOf<TypeBoxStatic<typeof whole>>();
  expectTypeOf<Static<typeof partial>>().toEqualTypeOf<TypeBoxStatic<typeof partial>>();
  expectTypeOf<Static<typeof allOptional>>().toEqualTypeOf<TypeBoxStatic<typeof allOptional>>();
  expectTypeOf<Static<typeof empty>>().toExtend<TypeBoxStatic<typeof empty>>();
});

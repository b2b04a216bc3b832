import { Type as T, type TObject, type TProperties } from 'typebox';

/** Nothing more than is named: a field by another name is one that Postman passes over without a word. */
const exact = <Fields extends TProperties>(fields: Fields): TObject<Fields> => T.Object(fields, { additionalProperties: false });
const named = { key: T.String({ minLength: 1 }), value: T.String() };
const described = { ...named, description: T.String() };
const bearer = exact({ type: T.Literal('bearer'), bearer: T.Array(exact({ ...named, type: T.Literal('string') })) });
const address = exact({
  raw: T.String({ pattern: '^\\{\\{baseUrl\\}\\}/' }),
  host: T.Tuple([T.Literal('{{baseUrl}}')]),
  path: T.Array(T.String({ minLength: 1 })),
  query: T.Optional(T.Array(exact({ ...described, disabled: T.Literal(true) }), { minItems: 1 })),
  variable: T.Optional(T.Array(exact(described), { minItems: 1 })),
});
const request = exact({
  method: T.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  description: T.String(),
  auth: T.Optional(bearer),
  header: T.Array(exact(named)),
  body: T.Optional(exact({ mode: T.Literal('raw'), raw: T.String(), options: exact({ raw: exact({ language: T.Literal('json') }) }) })),
  url: address,
});
const response = exact({ name: T.String(), originalRequest: request, code: T.Integer(), header: T.Array(exact(named)), body: T.String() });
const item = exact({ name: T.String({ minLength: 1 }), request, response: T.Array(response) });
/** As much of Postman's published form, version 2.1.0, as the collection uses. */
export const postmanForm = exact({
  info: exact({ name: T.String(), schema: T.Literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json') }),
  auth: bearer,
  variable: T.Array(exact({ ...named, type: T.Literal('string') })),
  item: T.Array(exact({ name: T.String({ minLength: 1 }), item: T.Array(item, { minItems: 1 }) }), { minItems: 1 }),
});

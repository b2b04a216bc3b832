import { Validator } from '@seriousme/openapi-schema-validator';
import { Type as T } from 'typebox';
import { expect, test } from 'vitest';
import { describedApi } from '../../test/support/described-routes.ts';
import { centsField, namedObject, orNull } from './fields.ts';
import type { OpenApi, Schema } from './openapi-document.ts';
import { nameSchemas } from './openapi-named-schemas.ts';
import { plainSchema } from './openapi-schema.ts';

const invoice = namedObject('Invoice', { id: T.String(), total_cents: centsField() });

const answering = (reply: Schema): OpenApi => {
  const { paths, ...rest } = describedApi();
  const time = paths['/api/v1/time']?.['get'];
  if (time === undefined) throw new Error('the described routes have a time');
  const described = { ...time, responses: { 200: { description: '', content: { 'application/json': { schema: reply } } } } };
  return { ...rest, paths: { '/api/v1/time': { get: described } } };
};
const schemaIn = ({ paths }: OpenApi): Schema | undefined => {
  const response = paths['/api/v1/time']?.['get']?.responses['200'];
  return response !== undefined && 'content' in response ? response.content?.['application/json']?.schema : undefined;
};

test('a named shape is written once, and every response that has it refers to it', () => {
  const named = nameSchemas(answering(plainSchema(T.Object({ last: orNull(invoice), data: T.Array(invoice) }))));
  expect(schemaIn(named)).toMatchObject({
    properties: {
      last: { anyOf: [{ $ref: '#/components/schemas/Invoice' }, { type: 'null' }] },
      data: { items: { $ref: '#/components/schemas/Invoice' } },
    },
  });
  expect(named.components.schemas['Invoice']).toEqual({
    type: 'object',
    required: ['id', 'total_cents'],
    properties: { id: { type: 'string' }, total_cents: { type: 'integer' } },
  });
});

test('a document with references is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { errors } = await validator.validate(JSON.parse(JSON.stringify(nameSchemas(answering(plainSchema(invoice))))));
  expect(errors).toBe(undefined);
});

test('one name for two shapes is an error', () => {
  const other = namedObject('Invoice', { id: T.Integer() });
  expect(() => nameSchemas(answering(plainSchema(T.Object({ one: invoice, other }))))).toThrow('Invoice names two different schemas');
});

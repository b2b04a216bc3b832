import { invariant } from '../core/invariant.ts';
import type { OpenApi, Schema } from './openapi-document.ts';

/**
 * Moves every response schema with a title to `components.schemas` and replaces it with a reference, so that code generators write each
 * shape once and under its name. Requests keep their schemas inline, without the title: the tools that fill in example requests resolve no
 * references.
 */
export function nameSchemas(document: OpenApi): OpenApi {
  const named = new Map<string, Schema>(Object.entries(document.components.schemas));
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => ({
      ...operation,
      parameters: operation.parameters.map((parameter) => ({ ...parameter, schema: withoutTitles(parameter.schema) })),
      ...(operation.requestBody && {
        requestBody: { ...operation.requestBody, content: mapValues(operation.requestBody.content, untitledContent) },
      }),
      responses: mapValues(operation.responses, (response) =>
        'content' in response && response.content !== undefined
          ? { ...response, content: mapValues(response.content, (content) => ({ ...content, schema: moveNamed(content.schema, named) })) }
          : response,
      ),
    })),
  );
  const schemas = Object.fromEntries([...named].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return { ...document, paths, components: { ...document.components, schemas } };
}

function mapValues<Value, Result>(values: Readonly<Record<string, Value>>, map: (value: Value) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

function moveNamed(given: Schema, named: Map<string, Schema>): Schema {
  const { title, ...schema } = mapChildren(given, (child) => moveNamed(child, named));
  if (title === undefined) return schema;
  const known = named.get(title);
  invariant(known === undefined || JSON.stringify(known) === JSON.stringify(schema), `${title} names two different schemas`);
  named.set(title, schema);
  return { $ref: `#/components/schemas/${title}` };
}

const untitledContent = <Content extends { readonly schema: Schema }>(content: Content): Content => ({
  ...content,
  schema: withoutTitles(content.schema),
});

function withoutTitles(given: Schema): Schema {
  const { title: _, ...schema } = mapChildren(given, withoutTitles);
  return schema;
}

function mapChildren(schema: Schema, map: (child: Schema) => Schema): Schema {
  const { items, properties, additionalProperties, anyOf, allOf } = schema;
  return {
    ...schema,
    ...(items && { items: map(items) }),
    ...(properties && { properties: mapValues(properties, map) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: map(additionalProperties) }),
    ...(anyOf && { anyOf: anyOf.map(map) }),
    ...(allOf && { allOf: allOf.map(map) }),
  };
}

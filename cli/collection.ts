import { apiMessage } from '../src/messages/api-message.ts';
import { fetchFromService, exit, serviceUrl, type Command } from './command.ts';

export const collection: Command = {
  usage: 'collection [--out tributary.postman_collection.json]',
  does: apiMessage('cli_collection.does'),
  async run({ flags, settings }, terminal) {
    const response = await fetchFromService(settings, '/openapi.json');
    const variables = { baseUrl: serviceUrl(settings), trackingKey: settings.TRIBUTARY_TRACKING_KEY ?? '' };
    const text = JSON.stringify(collectionOf(readDescription(await response.json()), variables), null, 2);
    if (flags.out === undefined) terminal.say(text);
    else await terminal.write(flags.out, `${text}\n`);
    return exit.done;
  },
};

type Field = { readonly name: string; readonly in: string; readonly description: string };
export type DescribedRequest = {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly tag: string;
  readonly description: string;
  readonly fields: readonly Field[];
  /** Null: no body. */
  readonly body: unknown;
  readonly isPostback: boolean;
  readonly responses: ReadonlyArray<{ readonly name: string; readonly status: number; readonly body: unknown }>;
};

type Variables = { readonly baseUrl: string; readonly trackingKey: string };

/** Postman's format, version 2.1, which Bruno also reads. Keys are variables without a value, so that a shared file contains no secret. */
export function collectionOf(requests: readonly DescribedRequest[], { baseUrl, trackingKey }: Variables) {
  const tags = [...new Set(requests.map(({ tag }) => tag))];
  const variable = (key: string, value: string) => ({ key, value, type: 'string' });
  return {
    info: { name: 'Tributary', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: bearer('apiKey'),
    variable: [variable('baseUrl', baseUrl), variable('trackingKey', trackingKey), variable('postbackKey', ''), variable('apiKey', '')],
    item: tags.map((name) => ({ name, item: requests.filter(({ tag }) => tag === name).map(itemOf) })),
  };
}

const bearer = (variable: string) => ({ type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] });

function itemOf({ method, path, name, description, fields, body, isPostback, responses }: DescribedRequest) {
  const request = {
    method: method.toUpperCase(),
    description,
    ...(isPostback ? { auth: bearer('postbackKey') } : {}),
    header: body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    ...(body === null ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    url: urlOf(path, fields),
  };
  return { name, request, response: responses.map((answer) => savedResponse(answer, request)) };
}

/** Turns `{store}` into `:store`, which both programs prompt for; the tracking key is one variable for all requests. */
function urlOf(path: string, fields: readonly Field[]) {
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1').replace(':trackingKey', '{{trackingKey}}'));
  const query = fields
    .filter((field) => field.in === 'query')
    .map(({ name, description }) => ({ key: name, value: '', description, disabled: true }));
  const inPath = fields.filter((field) => field.in === 'path' && field.name !== 'trackingKey');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length === 0 ? {} : { query }),
    ...(inPath.length === 0 ? {} : { variable: inPath.map(({ name, description }) => ({ key: name, value: '', description })) }),
  };
}

const savedResponse = ({ name, status, body }: DescribedRequest['responses'][number], originalRequest: object) => ({
  name,
  originalRequest,
  code: status,
  header: [{ key: 'Content-Type', value: 'application/json' }],
  body: JSON.stringify(body, null, 2),
});

/** The part of an OpenAPI document that a collection needs. */
export function readDescription(document: unknown): readonly DescribedRequest[] {
  return entriesOf(at(document, 'paths')).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, operation]): DescribedRequest => {
      const content = at(operation, 'requestBody', 'content', 'application/json');
      return {
        method,
        path,
        name: text(at(operation, 'summary')),
        tag: text(at(operation, 'tags', '0')),
        description: text(at(operation, 'description')),
        fields: entriesOf(at(operation, 'parameters')).map(([, field]) => ({
          name: text(at(field, 'name')),
          in: text(at(field, 'in')),
          description: text(at(field, 'description')),
        })),
        body: content === undefined ? null : (at(content, 'example') ?? exampleBody(at(content, 'schema'))),
        isPostback: at(operation, 'x-reasons') !== undefined,
        responses: entriesOf(at(operation, 'responses')).flatMap(([status, response]) =>
          entriesOf(at(response, 'content', 'application/json', 'examples')).map(([name, example]) => ({
            name,
            status: Number(status),
            body: at(example, 'value'),
          })),
        ),
      };
    }),
  );
}

/** An example body: every required field with a value of its type. */
function exampleBody(schema: unknown): unknown {
  const [first] = entriesOf(at(schema, 'enum')).map(([, value]) => value);
  if (first !== undefined) return first;
  const [one] = entriesOf(at(schema, 'anyOf')).map(([, value]) => value);
  if (one !== undefined) return exampleBody(one);
  const kind = at(schema, 'type');
  if (kind === 'object') {
    const required = entriesOf(at(schema, 'required')).map(([, name]) => text(name));
    return Object.fromEntries(required.map((name) => [name, exampleBody(at(schema, 'properties', name))]));
  }
  if (kind === 'array') return [exampleBody(at(schema, 'items'))];
  if (kind === 'integer' || kind === 'number') return at(schema, 'minimum') ?? 0;
  if (kind === 'boolean') return false;
  return at(schema, 'const') ?? '';
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((held, name) => (typeof held === 'object' && held !== null ? Reflect.get(held, name) : undefined), value);
}
const entriesOf = (value: unknown): ReadonlyArray<[string, unknown]> =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

import type { OpenApi } from '../src/http/openapi-document.ts';

/**
 * Writes TypeScript types from the OpenAPI document: `paths`, with the parameters, body, and successful responses of each operation, named
 * as in `openapi-typescript`. Error responses are left out: all have the same shape. Decision 0085 explains why this generator is our own.
 */
export function apiTypesOf(document: OpenApi, header: string): string {
  const whole = asNode(JSON.parse(JSON.stringify(document)));
  const components = asNode(whole['components']);
  const write = writerOf(asNode(components['schemas']));
  const named = Object.entries(asNode(components['schemas'])).map(([name, schema]) => `export type ${name} = ${write(schema, '')};\n`);
  const paths = Object.entries(asNode(whole['paths'])).map(([path, methods]) => {
    const operations = Object.entries(asNode(methods)).map(([method, operation]) =>
      writeOperation({ method, operation: asNode(operation), write }),
    );
    return `  ${JSON.stringify(path.replace(apiPrefix, ''))}: {\n${operations.join('')}  };\n`;
  });
  return `${header}\n${named.join('\n')}\nexport type paths = {\n${paths.join('')}};\n`;
}

/** Clients have it in their base URL. */
const apiPrefix = /^\/api\/v1(?=\/)/;

type Node = Readonly<Record<string, unknown>>;
type Write = (schema: unknown, indent: string) => string;

const asNode = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {});
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function writeOperation({
  method,
  operation,
  write,
}: {
  readonly method: string;
  readonly operation: Node;
  readonly write: Write;
}): string {
  const parameters = asList(operation['parameters']).map(asNode);
  const groups = ['query', 'path'].flatMap((where) => writeParameters(where, parameters, write));
  const { content, required } = asNode(operation['requestBody']);
  const body =
    content === undefined ? '' : `      requestBody${required === false ? '?' : ''}: { content: ${writeContent(content, write)} };\n`;
  const responses = Object.entries(asNode(operation['responses']))
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => `        ${status}: { content: ${writeContent(asNode(response)['content'], write)} };\n`);
  const parametersText = groups.length === 0 ? '' : `      parameters: {\n${groups.join('')}      };\n`;
  return `    /** ${String(operation['summary'])} */\n    ${method}: {\n${parametersText}${body}      responses: {\n${responses.join('')}      };\n    };\n`;
}

function writeParameters(where: string, parameters: readonly Node[], write: Write): readonly string[] {
  const fields = parameters.filter((one) => one['in'] === where);
  if (fields.length === 0) return [];
  const indent = '          ';
  const lines = fields.map((field) => {
    const isRequired = field['required'] === true;
    return `${comment(field, indent)}${indent}${String(field['name'])}${isRequired ? '' : '?'}: ${write(field['schema'], indent)};\n`;
  });
  return [`        ${where}${fields.some(({ required }) => required === true) ? '' : '?'}: {\n${lines.join('')}        };\n`];
}

function writeContent(content: unknown, write: Write): string {
  const types = Object.entries(asNode(content)).map(([type, described]) => {
    const text = type.endsWith('json') ? write(asNode(described)['schema'], '          ') : 'string';
    return `'${type}': ${text}`;
  });
  return types.length === 0 ? '{}' : `{ ${types.join('; ')} }`;
}

function writerOf(schemas: Node): Write {
  const write: Write = (schema, indent) => {
    const {
      $ref: reference,
      allOf,
      anyOf,
      enum: values,
      type,
      items,
      properties,
      required,
      additionalProperties,
      ...rest
    } = asNode(schema);
    if (typeof reference === 'string') return nameIn(reference, schemas);
    if (Array.isArray(allOf)) return allOf.map((one) => write(one, indent)).join(' & ');
    if (Array.isArray(anyOf)) return unionOf(anyOf.map((one) => write(one, indent)));
    if ('const' in rest) return literal(rest['const']);
    if (Array.isArray(values)) return unionOf(values.map((value) => literal(value)));
    if (Array.isArray(type)) return unionOf(type.map((one) => write({ ...asNode(schema), type: one as string }, indent)));
    if (type === 'array') return `ReadonlyArray<${write(items, indent)}>`;
    if (type === 'object' || properties !== undefined) return writeObject({ properties, required, additionalProperties }, write, indent);
    return scalars[String(type)] ?? 'unknown';
  };
  return write;
}

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

function nameIn(reference: string, schemas: Node): string {
  const name = reference.split('/').at(-1) ?? '';
  if (!(name in schemas)) throw new Error(`${reference} is not in the document`);
  return name;
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const unionOf = (types: readonly string[]): string =>
  [...new Set(types)].map((type) => (type.includes(' & ') ? `(${type})` : type)).join(' | ');

function writeObject(given: Node, write: Write, indent: string): string {
  const fields = Object.entries(asNode(given['properties']));
  const others = given['additionalProperties'];
  if (fields.length === 0) {
    if (others === false) return 'Record<string, never>';
    return `Readonly<Record<string, ${typeof others === 'object' && others !== null ? write(others, indent) : 'unknown'}>>`;
  }
  const required = new Set(asList(given['required']));
  const inner = `${indent}  `;
  const lines = fields.map(([name, schema]) => {
    const type = isAmount(name) ? write(schema, inner).replace(/\bnumber\b/g, 'Cents') : write(schema, inner);
    const key = `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}${required.has(name) ? '' : '?'}`;
    return `${comment(asNode(schema), inner)}${inner}readonly ${key}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Sums of cents may exceed 2^53, so each client decides how it represents them. */
const isAmount = (name: string): boolean => /(^|_)cents$/.test(name);

const comment = ({ description }: Node, indent: string): string =>
  typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n` : '';

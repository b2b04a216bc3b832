import type { Schema, Operation, OpenApi, Parameter, Response } from './openapi-document.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { programFolder } from '../core/program-folder.ts';
import { html, trusted, type Html } from './html.ts';

export type DocsPage = { readonly html: string; readonly contentSecurityPolicy: string };

const css = readFileSync(new URL('src/http/docs-page.css', programFolder), 'utf8');

/** Renders the OpenAPI document as one page. It has no script, so that nothing can be injected and nothing has to load. */
export function docsPage(document: OpenApi, guides: Html = html``): DocsPage {
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map((tag) => ({ ...tag, operations: placed.filter(({ operation }) => operation.tags.includes(tag.name)) }));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title}</title>
        ${trusted(`<style>${css}</style>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header><a class="name" href="#top">${document.info.title}</a><a href="/openapi.json">openapi.json</a></header>
        <div class="frame">
          <nav aria-label="Operations">${groups.map(contentsOf)}</nav>
          <main id="content" tabindex="-1">
            <section class="intro" id="top">
              <h1>${document.info.title}</h1>
              ${paragraphs(document.info.description)} ${guides} ${variablesOf(document)}
            </section>
            ${groups.map((group) => groupOf(group, placed))} ${reasonsOf(document)}
          </main>
        </div>
      </body>
    </html> `;
  const hash = createHash('sha256').update(css).digest('base64');
  return {
    html: page.html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

type Group = OpenApi['tags'][number] & { readonly operations: readonly OperationAtPath[] };

const contentsOf = ({ name, operations }: Group): Html =>
  html`<details>
    <summary>${name} <span class="count">${operations.length}</span></summary>
    <ul>
      ${operations.map(
        ({ method, operation }) =>
          html`<li>
            <a href="#${operation.operationId}"><span class="method">${method}</span> ${operation.summary}</a>
          </li>`,
      )}
    </ul>
  </details>`;

const variablesOf = ({ servers }: OpenApi): Html =>
  html`<pre tabindex="0" aria-label="Variables of the examples"><code>BASE=${servers[0]?.url ?? ''}
KEY=trb_…</code></pre>`;

const groupOf = ({ name, description, operations }: Group, all: readonly OperationAtPath[]): Html =>
  html`<section class="group" aria-labelledby="${groupId(name)}">
    <h2 id="${groupId(name)}">${name}</h2>
    ${description === undefined ? '' : paragraphs(description)}
    ${operations.map((placed) => operationOf(placed, exampleIdsFor(placed.path, all)))}
  </section>`;

const groupId = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`;

function operationOf(placed: OperationAtPath, ids: ExampleIds): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const rows = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place).map(rowOfParameter);
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
    <div class="words">
      <h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
      <p class="address"><span class="method" data-method="${method}">${method}</span> <code>${breakable(path)}</code></p>
      ${paragraphs(description)}
      ${tableOf('In the path', rows('path'))}${tableOf('In the query', rows('query'))}${tableOf('Headers', rows('header'))}
      ${body === undefined ? '' : tableOf('Body', fieldRows(body))} ${responsesOf(operation)}
    </div>
    <div class="examples">
      <pre tabindex="0" aria-label="Example request"><code>${exampleCurl(ids, placed)}</code></pre>
      ${exampleResponse(operation, ids)}
    </div>
  </article>`;
}

const rowOfParameter = ({ name, required, description, schema }: Parameter): FieldRow => ({
  name,
  type: typeOf(schema),
  isRequired: required,
  rules: [...(description === undefined ? [] : [description]), ...rulesOf(schema)],
});

function tableOf(title: string, rows: readonly FieldRow[]): Html {
  if (rows.length === 0) return html``;
  return html`<h4>${title}</h4>
    ${listOf(rows)}`;
}

function fieldEntry({ name, type, isRequired, rules }: FieldRow): Html {
  const required = isRequired ? html` <span class="required">required</span>` : '';
  return html`<div>
    <dt><code>${breakable(name)}</code> <span class="type">${type}</span>${required}</dt>
    <dd>${inline(rules.map(sentence).join(' '))}</dd>
  </div>`;
}

const listOf = (rows: readonly FieldRow[]): Html => html`<dl class="fields">${rows.map(fieldEntry)}</dl>`;

function responsesOf({ responses, 'x-reasons': reasons }: Operation): Html {
  if (reasons) {
    return html`<h4>Responses</h4>
      <dl class="fields reasons">
        ${reasons.map(
          ({ reason, status, retry, means }) =>
            html`<div>
              <dt><code>${status} ${breakable(reason)}</code>${retry === null ? '' : html` <span class="type">retry: ${retry}</span>`}</dt>
              <dd>${inline(means)}</dd>
            </div>`,
        )}
      </dl>`;
  }
  const refused = Object.keys(responses).filter((status) => !status.startsWith('2'));
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? fieldRows(schemaOf(response) ?? {}) : [],
  );
  return html`${
      rows.length === 0
        ? ''
        : html`<details>
            <summary>Response fields</summary>
            ${listOf(rows)}
          </details>`
    }
    <p class="refusals">Errors: ${refused.map((status) => html`<a href="#refusals-${status}">${status}</a> `)}</p>`;
}

const schemaOf = (response: Response) => ('content' in response ? response.content?.['application/json']?.schema : undefined);

function exampleResponse({ responses, 'x-reasons': reasons }: Operation, ids: ExampleIds): Html {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (response === undefined || reasons) return html``;
  const schema = schemaOf(response);
  const body = schema === undefined ? '' : JSON.stringify(exampleOf(ids, schema), null, 2);
  return html`<pre class="answer" tabindex="0" aria-label="Example response"><code>${`${status ?? ''}\n${body}`.trim()}</code></pre>`;
}

const reasonsOf = ({ components }: OpenApi): Html =>
  html`<section class="group" aria-labelledby="group-refusals">
    <h2 id="group-refusals">Errors</h2>
    <dl class="fields">
      ${Object.entries(components.responses).map(([name, { description }]) => {
        const status = name.replace('Refused', '');
        return html`<div id="refusals-${status}">
          <dt><code>${status}</code></dt>
          <dd>${inline(description)}</dd>
        </div>`;
      })}
    </dl>
  </section>`;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

const paragraphs = (text: string): readonly Html[] => text.split('\n\n').map((one) => html`<p>${inline(one)}</p>`);

/** Renders text between backticks as code; no other Markdown is supported. */
const inline = (text: string): readonly Html[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${breakable(part)}</code>` : html`${part}`));

/** Lets a long name break after its separators. */
const breakable = (name: string): readonly Html[] =>
  name.split(/(?<=[/_.])/).map((part, place) => (place === 0 ? html`${part}` : html`<wbr />${part}`));

const depthMax = 5;

/** Example IDs by the names in paths (`store`, `program`); `id` is the ID of the operation's own resource. */
export type ExampleIds = Readonly<Record<string, string>>;

/** An example value of a schema: its own example or default, otherwise a value that fits its name and type. */
export function exampleOf(ids: ExampleIds, schema: Schema, name = '', depth = 0): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return exampleOf(ids, schema.anyOf[0], name, depth);
  if (schema.items) return depth < depthMax ? [exampleOf(ids, schema.items, singular(name), depth + 1)] : [];
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  switch (types[0]) {
    case 'object':
      return objectOf(ids, schema, depth);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return true;
    case 'string':
      // A nullable time is usually of something that has not happened yet.
      return types.includes('null') && name.endsWith('_at') ? null : (ids[name.replace(/_id$/, '')] ?? textNamed(name));
    default:
      return null;
  }
}

function objectOf(ids: ExampleIds, { properties = {} }: Schema, depth: number): unknown {
  if (depth >= depthMax) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(ids, field, name, depth + 1)]));
}

const singular = (name: string): string => name.replace(/s$/, '');

function numberOf({ minimum = 0, maximum = Infinity }: Schema, name: string): number {
  const wished = exampleNumbers.find(([shape]) => shape.test(name))?.[1] ?? 1;
  return Math.min(Math.max(wished, minimum), maximum);
}

const exampleNumbers: ReadonlyArray<readonly [name: RegExp, number: number]> = [
  [/(_cents|minor_units)$/, 12_000],
  [/basis_points$/, 1_000],
  [/days$/, 30],
];

const exampleTexts: ReadonlyArray<readonly [name: RegExp, text: string]> = [
  [/(_at|_from|_until|^at|^from|^to|^now)$/, '2027-03-01T12:00:00.000Z'],
  [/^(site_)?url$/, 'https://shop.example'],
  [/url$/, 'https://shop.example/welcome'],
  [/email$/, 'ada@shop.example'],
  [/^product_id$/, 'sku-a'],
  [/^price_id$/, 'price-monthly'],
  [/^(order|invoice)_id$/, 'A-1001'],
  [/^id$|_id$/, '01jpht9h8f7x7s9rsrkg8wq3dg'],
  [/name$/, 'Riverside Books'],
  [/^currency$/, 'USD'],
  [/^next_cursor$/, 'WyIwMTk1YTNjNCJd'],
  [/^period$/, '2027-03'],
  [/last4$/, '7Qx2'],
  [/host$/, 'shop.example'],
];

const textNamed = (name: string): string => exampleTexts.find(([shape]) => shape.test(name))?.[1] ?? '…';

/** The required fields of the body, or its first field if none is required. */
function exampleBody(ids: ExampleIds, schema: Schema): unknown {
  const names = schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(ids, schema.properties?.[name] ?? {}, name)]));
}

/** The operation as a curl command; the reader sets `$KEY` and `$BASE`. */
export function exampleCurl(ids: ExampleIds, { method, path, operation }: OperationAtPath): string {
  const { parameters, requestBody, security } = operation;
  const filled = path.replace(/\{([^}]+)\}/g, (_all, name: string) => ids[name] ?? `<${name}>`);
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(ids, schema, name)))}`).join('&');
  const schema = requestBody?.content['application/json']?.schema;
  const body = schema === undefined ? '' : JSON.stringify(exampleBody(ids, schema), null, 2).replaceAll("'", String.raw`'\''`);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${filled}${query === '' ? '' : `?${query}`}"`,
    ...(security.length === 0 ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(body === '' ? [] : ["-H 'Content-Type: application/json'", `-d '${body}'`]),
  ];
  return lines.join(' \\\n  ');
}

export type OperationAtPath = { readonly method: string; readonly path: string; readonly operation: Operation };

/** Example IDs for an operation: those in its path, and as `id` the ID of the resource that it creates, lists or changes. */
export function exampleIdsFor(path: string, all: readonly OperationAtPath[]): ExampleIds {
  const examples = all.flatMap(({ operation }) =>
    operation.parameters.flatMap(({ name, schema }) => (schema.examples ? [[name, String(schema.examples[0])]] : [])),
  );
  const ids: ExampleIds = Object.fromEntries(examples);
  const below = all.find((one) => one.path.startsWith(`${path}/{`) && one.path.indexOf('/', path.length + 2) === -1);
  const own = [...(below?.path ?? path).matchAll(/\{([^}]+)\}/g)].at(-1)?.[1] ?? '';
  return { ...ids, id: ids[own] ?? '…' };
}

export type FieldRow = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly rules: readonly string[] };

const fieldDepthMax = 4;

/** The fields of an object, followed by those of nested objects: `rules[].product_id`. */
export function fieldRows(schema: Schema, prefix = '', depth = 0): readonly FieldRow[] {
  if (depth >= fieldDepthMax) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) ?? false;
    const row = { name: prefix + name, type: typeOf(field), isRequired, rules: rulesOf(field) };
    return [row, ...fieldRows(innerOf(field), `${prefix}${name}${isList(field) ? '[]' : ''}.`, depth + 1)];
  });
}

const isList = (schema: Schema): boolean => schema.items !== undefined;

function innerOf(schema: Schema): Schema {
  if (schema.items) return innerOf(schema.items);
  return schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
}

const typeLabels: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false', integer: 'whole number', null: 'null' };

export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items).replace(/^(object|text|whole number)\b/, '$1s')}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'anything' : types.map((type) => typeLabels[type] ?? type).join(' or ');
}

/** Describes the constraints of a value in words. */
export function rulesOf(schema: Schema): readonly string[] {
  const { description, enum: words, default: usual, items } = schema;
  return [
    ...(description === undefined ? [] : [description]),
    ...(words === undefined ? [] : [`one of ${words.map((word) => `\`${String(word)}\``).join(', ')}`]),
    ...rangeOf(schema.minimum, schema.maximum, ''),
    ...rangeOf(schema.minLength, schema.maxLength, 'characters'),
    ...rangeOf(schema.minItems, schema.maxItems, 'items'),
    ...idRule(schema),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
    ...(items === undefined ? [] : rulesOf(items).map((rule) => `each: ${rule}`)),
    ...(schema.anyOf ?? []).flatMap(rulesOf),
  ];
}

const formatNumber = (value: number): string => value.toLocaleString('en-US');

function rangeOf(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  const words = (text: string) => [`${text} ${unit}`.trim()];
  if (least !== undefined && most !== undefined) return words(`${formatNumber(least)} to ${formatNumber(most)}`);
  if (most !== undefined) return words(`at most ${formatNumber(most)}`);
  return least === undefined || (least === 1 && unit !== '') ? [] : words(`at least ${formatNumber(least)}`);
}

/** A pattern is not readable for people, except for an ID, whose prefix is shown. */
function idRule({ pattern }: Schema): readonly string[] {
  const prefix = /^\^([a-z]+_)\[0-7\]/.exec(pattern ?? '')?.[1];
  return prefix === undefined ? [] : [`an id, \`${prefix}…\``];
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exampleCurl, exampleOf, idsKnownTo, type KnownIds, type PlacedOperation } from './docs-example.ts';
import { fieldRows, rulesOf, typeOf, type FieldRow } from './docs-fields.ts';
import { html, trusted, type Html } from './html.ts';
import type { OpenApi, Operation, Parameter, Response } from './openapi-document.ts';

export type DocsPage = { readonly html: string; readonly contentSecurityPolicy: string };

const css = readFileSync(new URL('docs-page.css', import.meta.url), 'utf8');

/** The API's description as one page for people: no script, so that nothing can be put into it, and nothing has to load. */
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
        <a class="skip" href="#content">To the content</a>
        <header><a class="name" href="#top">${document.info.title}</a><a href="/openapi.json">openapi.json</a></header>
        <div class="frame">
          <nav aria-label="Operations">${groups.map(contentsOf)}</nav>
          <main id="content" tabindex="-1">
            <section class="intro" id="top">
              <h1>${document.info.title}</h1>
              ${paragraphs(document.info.description)} ${guides} ${placesOf(document)}
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

type Group = OpenApi['tags'][number] & { readonly operations: readonly PlacedOperation[] };

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

const placesOf = ({ servers }: OpenApi): Html =>
  html`<pre tabindex="0" aria-label="Variables of the examples"><code>BASE=${servers[0]?.url ?? ''}
KEY=trb_…</code></pre>`;

const groupOf = ({ name, description, operations }: Group, all: readonly PlacedOperation[]): Html =>
  html`<section class="group" aria-labelledby="${groupId(name)}">
    <h2 id="${groupId(name)}">${name}</h2>
    ${description === undefined ? '' : paragraphs(description)}
    ${operations.map((placed) => operationOf(placed, idsKnownTo(placed.path, all)))}
  </section>`;

const groupId = (name: string): string => `group-${name.toLowerCase().replaceAll(' ', '-')}`;

function operationOf(placed: PlacedOperation, ids: KnownIds): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const rows = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place).map(rowOfParameter);
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
    <div class="words">
      <h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
      <p class="address"><span class="method" data-method="${method}">${method}</span> <code>${softly(path)}</code></p>
      ${paragraphs(description)}
      ${tableOf('In the path', rows('path'))}${tableOf('In the query', rows('query'))}${tableOf('Headers', rows('header'))}
      ${body === undefined ? '' : tableOf('Body', fieldRows(body))} ${answersOf(operation)}
    </div>
    <div class="examples">
      <pre tabindex="0" aria-label="Example request"><code>${exampleCurl(ids, placed)}</code></pre>
      ${exampleAnswer(operation, ids)}
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

const listOf = (rows: readonly FieldRow[]): Html =>
  html`<dl class="fields">
    ${rows.map(
      ({ name, type, isRequired, rules }) =>
        html`<div>
          <dt>
            <code>${softly(name)}</code> <span class="type">${type}</span>${isRequired ? html` <span class="required">required</span>` : ''}
          </dt>
          <dd>${inline(rules.map(sentence).join(' '))}</dd>
        </div>`,
    )}
  </dl>`;

function answersOf({ responses, 'x-reasons': reasons }: Operation): Html {
  if (reasons) {
    return html`<h4>Answers</h4>
      <dl class="fields reasons">
        ${reasons.map(
          ({ reason, status, retry, means }) =>
            html`<div>
              <dt><code>${status} ${softly(reason)}</code>${retry === null ? '' : html` <span class="type">retry: ${retry}</span>`}</dt>
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
            <summary>Fields of the answer</summary>
            ${listOf(rows)}
          </details>`
    }
    <p class="refusals">Refused with ${refused.map((status) => html`<a href="#refusals-${status}">${status}</a> `)}</p>`;
}

const schemaOf = (response: Response) => ('content' in response ? response.content?.['application/json']?.schema : undefined);

function exampleAnswer({ responses, 'x-reasons': reasons }: Operation, ids: KnownIds): Html {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  if (response === undefined || reasons) return html``;
  const schema = schemaOf(response);
  const body = schema === undefined ? '' : JSON.stringify(exampleOf(ids, schema), null, 2);
  return html`<pre class="answer" tabindex="0" aria-label="Example answer"><code>${`${status ?? ''}\n${body}`.trim()}</code></pre>`;
}

const reasonsOf = ({ components }: OpenApi): Html =>
  html`<section class="group" aria-labelledby="group-refusals">
    <h2 id="group-refusals">Refusals</h2>
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

/** `code` between backticks; nothing else of Markdown is used. */
const inline = (text: string): readonly Html[] =>
  text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${softly(part)}</code>` : html`${part}`));

/** A long name may break where its words meet. */
const softly = (name: string): readonly Html[] =>
  name.split(/(?<=[/_.])/).map((part, place) => (place === 0 ? html`${part}` : html`<wbr />${part}`));

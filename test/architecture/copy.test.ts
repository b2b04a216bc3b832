import { expect, test } from 'vitest';
import type { ESTree } from 'vite';
import { inspect, isTest, locationOf, readSources, type Source } from './source.ts';

/** Attributes that people read, or that a screen reader reads to them. */
const copyAttributes = new Set(
  (
    'alt aria-description aria-label aria-roledescription aria-valuetext caption confirm description detail intro label meaning message ' +
    'more note one placeholder subject submit summary text title'
  ).split(' '),
);

/** Properties of objects with copy. Others of the attributes above are also names of data. */
const copyProperties = new Set(['aria-label', 'caption', 'description', 'label', 'meaning', 'placeholder', 'title']);

const isReadable = (text: string): boolean => /\p{L}{2}/u.test(text);
const hasTwoWords = (text: string): boolean => /\p{L}{2,}[,.:;!?’]? +\p{L}{2,}/u.test(text);

/** Literals that look like copy. */
const notCopy: readonly RegExp[] = [
  // Addresses and IDs as examples, and names that are the same in every language.
  /^(https?:|crt_)\S*$/,
  /^(CSV|PDF|ID|IBAN|JSON|USD)$/,
  // Values of the API.
  /^(new password|first operator|signed in|at once|command line|goal of the terms)$/,
  // Names of products, which browsers send.
  /^(Samsung Internet|Mac OS)$/,
  // Keys of a keyboard.
  /^Ctrl K$/,
  // Code: selectors, media queries, a font on a canvas, and headers of curl commands.
  /^\(prefers-color-scheme: dark\)$/,
  /^(tbody tr|input, textarea, select|… px system-ui, sans-serif)$/,
  /^-H |^"Authorization: Bearer/,
  /^([A-Z]{2} )+[A-Z]{2}$/,
];

/** Files whose literals are code: snippets in several languages. */
const codeFiles: readonly RegExp[] = [/^web\/src\/features\/integration\/snippets\//];

test('every text of the dashboards is in a message catalog', () => {
  const sources = readSources('web/src/**/*.{ts,tsx}').filter(({ path }) => !isTest(path) && !codeFiles.some((file) => file.test(path)));
  expect(sources.flatMap(copyIn)).toEqual([]);
});

function copyIn(source: Source): readonly string[] {
  const ignored = new Set<ESTree.Node>();
  const found: string[] = [];
  const ignore = (node: ESTree.Node | null | undefined): void => void (node && ignored.add(node));
  const add = (node: ESTree.Span, text: string): void => {
    const words = text.trim().replaceAll(/\s+/g, ' ');
    if (!notCopy.some((known) => known.test(words))) found.push(`${locationOf(source, node)} ${words}`);
  };
  inspect(source, {
    ImportDeclaration: ({ source: from }) => ignore(from),
    ImportExpression: ({ source: from }) => ignore(from),
    TSLiteralType: ({ literal }) => ignore(literal),
    // An error without a reason code is shown as a message of the catalog.
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) for (const argument of given) ignore(argument);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name === 'invariant') ignore(given[1]);
    },
    Property: ({ key, value }) => {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
      if (value.type !== 'Literal' || typeof value.value !== 'string' || !copyProperties.has(name)) return;
      ignore(value);
      if (isReadable(value.value)) add(value, value.value);
    },
    // One word is copy only where it is shown.
    JSXElement: ({ children }) => {
      for (const child of children)
        if (child.type === 'JSXExpressionContainer') for (const shown of literalsIn(child.expression)) add(shown.node, shown.text);
    },
    JSXText: (node) => isReadable(node.value) && add(node, node.value),
    JSXAttribute: ({ name, value }) => {
      if (value?.type !== 'Literal' || typeof value.value !== 'string') return;
      ignore(value);
      if (name.type === 'JSXIdentifier' && copyAttributes.has(name.name) && isReadable(value.value)) add(value, value.value);
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && !ignored.has(node) && hasTwoWords(node.value)) add(node, node.value);
    },
    TemplateLiteral: (node) => {
      const text = node.quasis.map(({ value }) => value.cooked ?? '').join(' … ');
      if (!ignored.has(node) && hasTwoWords(text)) add(node, text);
    },
  });
  return found;
}

/** The words that an expression may result in. */
function literalsIn(expression: ESTree.Node): ReadonlyArray<{ readonly node: ESTree.Node; readonly text: string }> {
  if (expression.type === 'ConditionalExpression') return [expression.consequent, expression.alternate].flatMap(literalsIn);
  if (expression.type === 'LogicalExpression') return literalsIn(expression.right);
  if (expression.type !== 'Literal' || typeof expression.value !== 'string' || hasTwoWords(expression.value)) return [];
  return isReadable(expression.value) ? [{ node: expression, text: expression.value }] : [];
}

/** Texts for operators at a terminal and in logs, the OpenAPI document beside its schemas, and pages that the server builds. */
const notServerCopy: readonly RegExp[] = [
  /^src\/(commands|core|db|processes|embedded-postgres|metrics|capture\/serve)/,
  /^src\/http\/(openapi|api-docs|build-dashboards)/,
  /^src\/app\/(start|supervisor)\.ts$/,
  /^src\/contract\/postback-operations\.ts$/,
  // What the sandbox's payment provider says, in place of Stripe.
  /^src\/payments\/sandbox/,
];
/** Properties with the documentation of a schema, and names of what a log entry or an email is about. */
const documentation = new Set(['description', 'summary', 'title', 'why']);
const isSentence = (text: string): boolean => /^[A-Z].*\p{L}{2,}[,;:]? \p{L}.*[.?!]$/su.test(text);

/** Property of a command: its options, which are not translated. A header names the program. */
const syntaxProperties = new Set(['usage', 'user-agent']);

/** The actions of a command, which a usage error repeats, and an option with its value. */
const usageLine = /^(?:\w+ \w+ \| \w+ <|\[--[a-z-]+(?: <\w+>)?\]$)/;

test('every text of the command line is in a message catalog', () => {
  expect(
    readSources('cli/*.ts')
      .filter(({ path }) => !isTest(path))
      .flatMap(textsIn),
  ).toEqual([]);
});

test('finds texts of the command line in literals and templates', () => {
  const text =
    "say('one file'); say(`wrote ${n} files`); throw new UsageError(`no such ${x} file`); const c = { usage: 'send files', does: 'sends files' };";
  expect(textsIn({ path: 'cli/a.ts', text }).map((found) => found.replace(/^\S+ /, ''))).toEqual([
    'one file',
    'wrote … files',
    'no such … file',
    'sends files',
  ]);
});

function textsIn(source: Source): readonly string[] {
  const ignored = new Set<ESTree.Node>();
  const found: string[] = [];
  const check = (node: ESTree.Node, text: string): void => {
    const words = text.split(/\s+/).filter((word) => /^[^\p{L}/]*\p{L}{2,}[\p{L}’'-]*[^\p{L}/]*$/u.test(word));
    if (!ignored.has(node) && words.length > 1 && !usageLine.test(text)) found.push(`${locationOf(source, node)} ${text}`);
  };
  inspect(source, {
    ImportDeclaration: ({ source: from }) => void ignored.add(from),
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name === 'invariant') for (const argument of given) ignored.add(argument);
    },
    Property: ({ key, value }) => {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '';
      if (syntaxProperties.has(name)) ignored.add(value);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') check(node, node.value);
    },
    TemplateLiteral: (node) =>
      check(
        node,
        node.quasis
          .map(({ value }) => value.cooked ?? '')
          .join(' … ')
          .replaceAll(/\s+/g, ' '),
      ),
  });
  return found;
}

test('every sentence of API responses, postbacks, and PDFs is in a message catalog', () => {
  const sources = readSources('src/**/*.ts').filter(({ path }) => !isTest(path) && !notServerCopy.some((file) => file.test(path)));
  expect(sources.flatMap(sentencesIn)).toEqual([]);
});

function sentencesIn(source: Source): readonly string[] {
  const ignored = new Set<ESTree.Node>();
  const found: string[] = [];
  const ignore = (node: ESTree.Node): void => void ignored.add(node);
  const check = (node: ESTree.Node, text: string, isCopy = isSentence): void => {
    if (!ignored.has(node) && isCopy(text)) found.push(`${locationOf(source, node)} ${text}`);
    ignore(node);
  };
  inspect(source, {
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) given.forEach(ignore);
    },
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'Identifier') return;
      if (callee.name === 'invariant') given.forEach(ignore);
      if (callee.name !== 'refuse' || source.path.includes('/decide-')) return;
      const message = given[1];
      if (message?.type === 'Literal' && typeof message.value === 'string') check(message, message.value, hasTwoWords);
    },
    TaggedTemplateExpression: ({ quasi }) => ignore(quasi),
    Property: ({ key, value }) => {
      const name = key.type === 'Identifier' ? key.name : '';
      if (documentation.has(name)) ignore(value);
      if ((name === 'message' || name === 'means') && value.type === 'Literal' && typeof value.value === 'string')
        check(value, value.value, hasTwoWords);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') check(node, node.value);
    },
    TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked ?? '').join('…')),
  });
  return found;
}

import type { ESTree } from 'vite';
import { flat, groupOf, groups, type Table } from './schema.ts';
import { folderOf, type Layers } from './rules.ts';
import { isTest, inspect, locationOf, programOf, sqlTags, textOf, type Source } from './source.ts';

/** One sql`…` in the code: its text with `?` for each value, and the exported function that asks it. */
export type Query = { readonly path: string; readonly location: string; readonly usedBy: string; readonly text: string };

export function queriesOf(source: Source): readonly Query[] {
  const found: Query[] = [];
  const add = (node: ESTree.Node, text: string) =>
    void found.push({
      path: source.path,
      location: locationOf(source, node),
      usedBy: `${source.path} ${ownerOf(source, node)}`,
      text: bare(text),
    });
  inspect(source, {
    TaggedTemplateExpression(node) {
      if (node.tag.type === 'Identifier' && sqlTags.has(node.tag.name))
        add(node, node.quasi.quasis.map(({ value }) => value.cooked ?? '').join(' ? '));
    },
    CallExpression(node) {
      const [first] = node.arguments;
      if (isQueryCall(node)) add(node, first === undefined ? '' : (textOf(first) ?? ''));
    },
  });
  return found;
}

/** The driver's own `.query(…)`; a property of the same name that is not called is none. */
function isQueryCall({ callee }: ESTree.CallExpression): boolean {
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'query';
}

const bare = (text: string) => flat(text.replace(/--.*$/gm, ''));

function ownerOf(source: Source, { start }: ESTree.Node): string {
  const statement = programOf(source).body.find((one) => one.start <= start && start < one.end);
  const declaration = statement?.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type === 'FunctionDeclaration') return declaration.id?.name ?? '';
  if (declaration?.type !== 'VariableDeclaration') return '';
  const declarator = declaration.declarations.find((one) => one.start <= start && start < one.end);
  return declarator?.id.type === 'Identifier' ? declarator.id.name : '';
}

const isSqlFile = (path: string) => /(^|[/-])sql\.ts$/.test(path) || path.startsWith('src/db/');

/** A named exception: what, and why. One that is no longer needed is a violation too, so that the list cannot grow old. */
export type Exceptions = Readonly<Record<string, string>>;

export function sqlLocationViolations(sources: readonly Source[], exceptions: Exceptions): readonly string[] {
  const outside = sources.filter(({ path }) => !isSqlFile(path) && !isTest(path)).flatMap(queriesOf);
  return [
    ...outside.filter(({ path }) => !(path in exceptions)).map(({ location }) => `${location} has SQL outside of sql.ts and *-sql.ts`),
    ...unneeded(exceptions, new Set(outside.map(({ path }) => path))),
  ];
}

const unneeded = (exceptions: Exceptions, needed: ReadonlySet<string>) =>
  Object.keys(exceptions)
    .filter((name) => !needed.has(name))
    .map((name) => `the exception for ${name} is not needed`);

/** Each mention of a store's (or creator's) table is bound by its store_id (creator_id) once: named, joined on, or written. */
export function bindingViolations(sources: readonly Source[], tables: ReadonlyMap<string, Table>, crossing: Exceptions): readonly string[] {
  const unbound = queriesIn(sources).flatMap((query) => groups.flatMap((group) => unboundTables(query, tables, group)));
  return [
    ...unbound
      .filter(({ query }) => !(query.usedBy in crossing))
      .map(({ query, group, names }) => `${query.location} asks ${names.join(', ')} and does not bind each by ${group}`),
    ...unneeded(crossing, new Set(unbound.map(({ query }) => query.usedBy))),
  ];
}

const queriesIn = (sources: readonly Source[]) => sources.filter(({ path }) => !isTest(path)).flatMap(queriesOf);

function unboundTables(query: Query, tables: ReadonlyMap<string, Table>, group: (typeof groups)[number]) {
  const names = tablesIn(query.text).filter((name) => groupOf(tables.get(name)) === group);
  return names.length > bindingsIn(query.text, group) ? [{ query, group, names }] : [];
}

/**
 * A statement of clicks and postbacks names one store or creator as a value, or inserts rows of values: a cluster sends it to one node
 * without planning for all, and never computes the rows of a set first.
 */
export function setBasedViolations(
  sources: readonly Source[],
  tables: ReadonlyMap<string, Table>,
  crossing: Exceptions,
): readonly string[] {
  return queriesIn(sources)
    .filter(
      ({ text, usedBy }) =>
        !(usedBy in crossing) && tablesIn(text).some((name) => groupOf(tables.get(name)) !== 'global') && !namesTenant(text),
    )
    .map(({ location }) => `${location} does not name one store or creator as a value`);
}

const tenant = `(?:${groups.join('|')})`;

const namesTenant = (text: string): boolean =>
  new RegExp(String.raw`\b${tenant} ?= ?\?`).test(text) ||
  new RegExp(String.raw`^insert into \w+(?: as \w+)? \(${tenant}\b[^)]*\) ?(?:\?|values ?\( ?\?)`).test(text);

/**
 * Each subquery in a select list of a statement of one store or creator names it as a value too: Citus does not infer it there, and rejects
 * the statement if the store of another table is inferred or it has several such subqueries.
 */
export function selectListViolations(sources: readonly Source[], tables: ReadonlyMap<string, Table>): readonly string[] {
  const isOfTenant = (text: string) => tablesIn(text).some((name) => groupOf(tables.get(name)) !== 'global');
  return queriesIn(sources)
    .filter(({ text }) => namesTenant(text))
    .flatMap(({ text, location }) =>
      subqueriesInSelectLists(text)
        .filter((subquery) => isOfTenant(subquery) && !new RegExp(String.raw`\b${tenant} ?= ?(?:any ?\()? ?\?`).test(subquery))
        .map((subquery) => `${location} does not name the store or creator in ${subquery}`),
    );
}

/** What is between `select` and its `from`, in parentheses and begins with `select`. */
function subqueriesInSelectLists(text: string): readonly string[] {
  return [...text.matchAll(/\bselect\b/g)].flatMap(({ index }) => {
    const list = text.slice(index, endOf(text, index, /\bfrom\b/y));
    return [...list.matchAll(/\( ?select\b/g)].map((found) => list.slice(found.index + 1, endOf(list, found.index + 1)));
  });
}

/** Where the parenthesis around `start` closes, or before that, outside of other parentheses, `last` begins. */
function endOf(text: string, start: number, last?: RegExp): number {
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    if (text[place] === '(') depth += 1;
    if (text[place] === ')' && (depth -= 1) < 0) return place;
    if (last !== undefined) last.lastIndex = place;
    if (depth === 0 && last?.test(text) === true) return place;
  }
  return text.length;
}

const betweenTables = 'where|set|using|join|inner|left|right|full|cross|natural|on|order|group|having|limit|for|returning|values|select|as';

/** The tables after from, join, using, update and into, and after the commas of such a list. */
export function tablesIn(text: string): readonly string[] {
  const word = String.raw`(?!(?:${betweenTables})\b)\w+`;
  const one = String.raw`(?:only )?\w+(?: as)?(?: ${word})?`;
  const lists = text.matchAll(new RegExp(String.raw`\b(?:from|using|join|update|into) ((?:${one})(?: ?, ?(?:lateral )?${one})*)`, 'g'));
  return [...lists].flatMap(([, list = '']) =>
    list.split(',').map(
      (item) =>
        item
          .trim()
          .replace(/^(lateral|only) /, '')
          .split(' ')[0] ?? '',
    ),
  );
}

/** How often the text says whose rows it means: by comparison, by a row of columns compared, by `using (…)`, or in what is inserted. */
function bindingsIn(text: string, group: string): number {
  const column = String.raw`(?:\w+\.)?${group}\b`;
  const row = String.raw`\([^()]*\b${group}\b[^()]*\)`;
  const patterns = [
    String.raw`${column} ?(?:=|in\b|is not distinct from) ?(?:${column})?`,
    String.raw`= ?${column}`,
    String.raw`${row} ?(?:=|in\b) ?(?:${row})?`,
    String.raw`\busing ?${row}`,
    String.raw`\binsert into \w+(?: as \w+)? ?${row}`,
  ];
  return [...text.matchAll(new RegExp(patterns.join('|'), 'g'))].length;
}

/** One folder writes a table and owns it. Other folders call its functions. */
export function ownershipViolations(sources: readonly Source[], tables: ReadonlyMap<string, Table>): readonly string[] {
  return [...writersOf(sources, tables)]
    .filter(([, folders]) => folders.size > 1)
    .map(([name, folders]) => `${name} is written by ${[...folders.values()].join(' and ')}`);
}

/** A query that reads a table of a higher layer depends on that layer, though it imports nothing. */
export function readingViolations(layers: Layers, sources: readonly Source[], tables: ReadonlyMap<string, Table>): readonly string[] {
  const writers = writersOf(sources, tables);
  return queriesIn(sources).flatMap(({ path, location, text }) => {
    const folder = folderOf(path);
    const isAbove = (owner: string) => owner !== folder && (layers.get(owner) ?? Infinity) >= (layers.get(folder ?? '') ?? Infinity);
    return tablesIn(text)
      .filter((name) => folder !== null && [...(writers.get(name)?.keys() ?? [])].some(isAbove))
      .map((name) => `${location} reads ${name}, which a folder of the same or a higher layer writes`);
  });
}

/** The folders that write each table, and where. */
function writersOf(sources: readonly Source[], tables: ReadonlyMap<string, Table>): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const writers = new Map<string, Map<string, string>>();
  for (const { path, location, text } of queriesIn(sources)) {
    for (const name of writtenIn(text).filter((table) => tables.has(table))) {
      const folders = writers.get(name) ?? new Map<string, string>();
      writers.set(name, folders.set(folderOf(path) ?? path, location));
    }
  }
  return writers;
}

/** `for update` and `do update` write nothing of that name. */
const writtenIn = (text: string) =>
  [...text.matchAll(/(?:\binsert into|\bdelete from|(?<!\b(?:for|key|do) )\bupdate|\btruncate) (?:only )?(\w+)/g)].map(
    ([, name = '']) => name,
  );

const clocksAndDice =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid|uuidv[47]|nextval)\s*\(|\b(current_(timestamp|date|time)|localtimestamp)\b/;
const shouting = /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|VALUES|RETURNING|ORDER BY|GROUP BY|CONFLICT)\b/;
const chained = /\( ?(insert into|update \w+ set|delete from)\b/;

export function wordingViolations(sources: readonly Source[]): readonly string[] {
  return queriesIn(sources).flatMap(({ location, text }) => [
    ...(clocksAndDice.test(text) ? [`${location} asks the database for the time or for randomness`] : []),
    ...(shouting.test(text) ? [`${location} shouts: SQL is written in lower case`] : []),
    ...(chained.test(text) ? [`${location} changes data inside another statement`] : []),
  ]);
}

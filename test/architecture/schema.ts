import { statementsOf } from '../../src/db/migrate.ts';

/** The tables as the migrations leave them, as far as the rules need them. */
export type Table = {
  readonly name: string;
  readonly location: string;
  readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string; readonly rest: string }>;
  readonly primaryKey: readonly string[];
  /** Unique keys and indexes: both are places where rows of all stores would meet. */
  readonly keys: ReadonlyArray<readonly string[]>;
  readonly references: ReadonlyArray<{ readonly columns: readonly string[]; readonly table: string }>;
};

/** Whose a table is: a store's, a creator's, or the installation's, by what its primary key begins with. */
export type Group = 'store_id' | 'creator_id' | 'global';
export const groups = ['store_id', 'creator_id'] as const;

export const groupOf = (table: Table | undefined): Group => groups.find((group) => group === table?.primaryKey[0]) ?? 'global';

export type Migration = { readonly name: string; readonly text: string };

export function readTables(migrations: readonly Migration[]): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>();
  for (const { name, text } of migrations) {
    for (const statement of statementsOf(text)) applyTo(tables, flat(statement), `migrations/${name}`);
  }
  return tables;
}

/** One line, single spaces, texts emptied: a rule never matches inside a string. */
export const flat = (statement: string) =>
  statement
    .replace(/'(?:[^']|'')*'/g, `''`)
    .replace(/\s+/g, ' ')
    .trim();

function applyTo(tables: Map<string, Table>, statement: string, location: string): void {
  const made = /^create table (?:if not exists )?(\w+) \((.*)\)(?: partition by [^)]*\))?(?: with \([^)]*\))?$/.exec(statement);
  if (made) return void tables.set(made[1] ?? '', tableOf(made[1] ?? '', itemsOf(made[2] ?? ''), location));
  const index =
    /^create (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)(?: using \w+)? \((.*?)\)(?: include .*| where .*| with .*)?$/.exec(
      statement,
    );
  if (index) return change(tables, index[1], (table) => ({ ...table, keys: [...table.keys, itemsOf(index[2] ?? '')] }));
  const altered = /^alter table (?:if exists )?(\w+) (.*)$/.exec(statement);
  if (altered) {
    const retyped = itemsOf(altered[2] ?? '').flatMap((item) => {
      const [, column, type] = /^alter column (\w+) type (\w+)/.exec(item) ?? [];
      return column === undefined || type === undefined ? [] : [{ column, type }];
    });
    change(tables, altered[1], (table) => ({
      ...table,
      columns: table.columns.map((one) => ({ ...one, type: retyped.find(({ column }) => column === one.name)?.type ?? one.type })),
    }));
    const items = itemsOf(altered[2] ?? '').flatMap((item) => /^add (?:column (?:if not exists )?)?(.*)$/.exec(item)?.[1] ?? []);
    return change(tables, altered[1], (table) => items.reduce(withItem, table));
  }
  const dropped = /^drop table (?:if exists )?(\w+)/.exec(statement);
  if (dropped) return void tables.delete(dropped[1] ?? '');
  // A table that is not understood would escape every rule.
  if (/^(create (table|(unique )?index)|alter table) /.test(statement) && !/^create table \S+ partition of /.test(statement)) {
    throw new Error(`${location}: the schema rules do not understand "${statement.slice(0, 60)}"; teach them`);
  }
}

function change(tables: Map<string, Table>, name: string | undefined, to: (table: Table) => Table): void {
  const table = tables.get(name ?? '');
  if (table) tables.set(table.name, to(table));
}

function tableOf(name: string, items: readonly string[], location: string): Table {
  return items.reduce(withItem, { name, location, columns: [], primaryKey: [], keys: [], references: [] });
}

function withItem(table: Table, item: string): Table {
  const text = item.replace(/^constraint \w+ /, '');
  const constraint = /^(primary key|unique(?: nulls not distinct)?|foreign key) \((.*?)\)(?: references (\w+))?/.exec(text);
  if (constraint) {
    const [, kind = '', list = '', target = ''] = constraint;
    const columns = itemsOf(list);
    if (kind === 'primary key') return { ...table, primaryKey: columns };
    if (kind === 'foreign key') return { ...table, references: [...table.references, { columns, table: target }] };
    return { ...table, keys: [...table.keys, columns] };
  }
  if (/^(check|exclude) /.test(text)) return table;
  const [, name = '', type = '', rest = ''] = /^(\w+) ([\w[\]]+)(.*)$/.exec(text) ?? [];
  const reference = /\breferences (\w+)/.exec(rest)?.[1];
  return {
    ...table,
    columns: [...table.columns, { name, type, rest }],
    primaryKey: /\bprimary key\b/.test(rest) ? [name] : table.primaryKey,
    keys: /\bunique\b/.test(rest) ? [...table.keys, [name]] : table.keys,
    references: reference === undefined ? table.references : [...table.references, { columns: [name], table: reference }],
  };
}

/** Splits at the commas that stand in no brackets. */
function itemsOf(list: string): readonly string[] {
  const items: string[] = [''];
  let depth = 0;
  for (const character of list) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === ',' && depth === 0) items.push('');
    else items.push(`${items.pop() ?? ''}${character}`);
  }
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** What a migration is made of. The rest (triggers, functions, sequences, MERGE) does not run unchanged on the distributed engine. */
const statementsAllowed =
  /^(create table|create (unique )?index|alter table|drop (table|index)|insert into|update|delete from|comment on) /;
const clocks =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(|\b(current_(timestamp|date|time)|localtimestamp|localtime)\b/;
const countersAndRandom = /\b((small|big)?serial|identity|nextval|random|gen_random_uuid|uuidv[47])\b/;

type Exceptions = Readonly<Record<string, string>>;

export function statementViolations(migrations: readonly Migration[]): readonly string[] {
  const misnamed = migrations
    .filter(({ name }, location) => !name.startsWith(String(location + 1).padStart(4, '0')))
    .map(({ name }) => `migrations/${name}: the numbers have no gap`);
  const violations = migrations.flatMap(({ name, text }) =>
    statementsOf(text)
      .map(flat)
      .flatMap((statement) => {
        const start = `migrations/${name}: "${statement.slice(0, 60)}"`;
        return [
          ...(statementsAllowed.test(statement) ? [] : [`${start} is no statement that a migration is made of`]),
          ...(clocks.test(statement) ? [`${start} reads a clock`] : []),
          ...(countersAndRandom.test(statement) ? [`${start} counts or throws dice: ids are minted in the app`] : []),
          ...(/ exclude (using |\()/.test(statement) ? [`${start} has EXCLUDE`] : []),
          ...(/^drop .*\bcascade\b/.test(statement) ? [`${start} drops more than it names`] : []),
        ];
      }),
  );
  return [...misnamed, ...violations];
}

/** `otherwise`: tables that are keyed by something else, and single keys that begin with something else, `orders (transaction_id)`. */
export function tableViolations(tables: ReadonlyMap<string, Table>, otherwise: Exceptions): readonly string[] {
  return [...tables.values()].flatMap((table) => {
    const start = `${table.location}: ${table.name}`;
    const group = groupOf(table);
    const slipped = group === 'global' && table.columns.some(({ name }) => name === 'store_id' || name === 'creator_id');
    return [
      ...(table.primaryKey.length === 0 ? [`${start} has no primary key`] : []),
      ...(slipped && !(table.name in otherwise)
        ? [`${start} belongs to a store or creator, yet its primary key begins with something else`]
        : []),
      ...(!slipped && table.name in otherwise ? [`${start} needs no exception`] : []),
      ...keyViolations(table, group, otherwise).map((violation) => `${start} ${violation}`),
      ...table.references
        .flatMap((reference) => referenceViolation(reference, group, tables.get(reference.table)) ?? [])
        .map((violation) => `${start} ${violation}`),
      ...table.columns.flatMap((column) => columnViolation(column, table.name) ?? []).map((violation) => `${start} ${violation}`),
    ];
  });
}

function keyViolations({ name, keys }: Table, group: Group, otherwise: Exceptions): readonly string[] {
  if (group === 'global') return [];
  const begunOtherwise = keys.filter(([first = '']) => first.split(' ')[0] !== group).map((key) => `${name} (${key.join(', ')})`);
  const unneeded = Object.keys(otherwise).filter((key) => key.startsWith(`${name} (`) && !begunOtherwise.includes(key));
  return [
    ...begunOtherwise.filter((key) => !(key in otherwise)).map((key) => `has the key ${key}, which does not begin with ${group}`),
    ...unneeded.map((key) => `needs no exception for ${key}`),
  ];
}

function referenceViolation({ columns, table }: Table['references'][number], group: Group, target: Table | undefined): string | null {
  if (!target) return `refers to ${table}, which is not there`;
  if (groupOf(target) !== group) return `refers to ${table}, which belongs to another group`;
  if (table === 'clicks') return 'refers to clicks, which are dropped by the month';
  if (group !== 'global' && columns[0] !== group)
    return `refers to ${table} by (${columns.join(', ')}), which does not begin with ${group}`;
  return null;
}

/** Running totals, whose sums exceed a bigint. */
const sumTables: ReadonlySet<string> = new Set(['link_days', 'store_days', 'balances', 'creator_balances']);

function columnViolation({ name, type }: Table['columns'][number], table: string): string | null {
  if (type === 'numeric' && sumTables.has(table) && name.endsWith('_cents')) return null;
  if (/_(cents|minor_units)$/.test(name) && type !== 'bigint') return `keeps money in ${name} as ${type}`;
  if (/^(real|double|float\d?|numeric|decimal|money)$/.test(type)) return `has ${name} as ${type}: a figure is a whole number`;
  return type === 'timestamp' || type === 'timestamptz' || !/_at$|^at$/.test(name) || type === 'date'
    ? zoneViolation(name, type)
    : `has the time ${name} as ${type}`;
}

const zoneViolation = (name: string, type: string) => (type === 'timestamp' ? `has ${name} without a time zone` : null);

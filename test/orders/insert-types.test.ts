import { readFileSync, globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startTestService } from '../support/service.ts';

// With many rows, an insert takes an array for each column instead of a parameter for each value (src/db/sql.ts). A parameter takes the
// type of its column; an array has the type that the code names, and a wrong one would fail only with that many rows.

const arrayTypes: Readonly<Record<string, string>> = {
  uuids: 'uuid[]',
  texts: 'text[]',
  jsonbs: 'jsonb[]',
  byteas: 'bytea[]',
  timestamps: 'timestamptz[]',
  dates: 'date[]',
  bigints: 'bigint[]',
  numerics: 'text[]::numeric[]',
  ints: 'int[]',
  smallints: 'smallint[]',
  booleans: 'boolean[]',
};
const arrayCall = new RegExp(`^(${Object.keys(arrayTypes).join('|')})\\(`);

/** The types of a list of columns: its calls that are in no other brackets. */
function typesOf(list: string): readonly string[] {
  const types: string[] = [];
  let depth = 0;
  for (let at = 0; at < list.length; at++) {
    const name = depth === 0 ? arrayCall.exec(list.slice(at))?.[1] : undefined;
    if (name !== undefined) types.push(arrayTypes[name] ?? '');
    at += name?.length ?? 0;
    if ('([{'.includes(list.charAt(at))) depth += 1;
    if (')]}'.includes(list.charAt(at))) depth -= 1;
  }
  return types;
}

/** Each insert of the code, as it is with many rows. */
function insertsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const templates = [...text.matchAll(/\binserting`([^$`]*)\$\{(\w+\([^}]*\)|\[[\s\S]*?\])\}(\s[^`]*)?`/g)];
  return templates.map(([, head = '', columns = '', tail = '']) => {
    const made = /^(\w+)\(/.exec(columns)?.[1];
    const list = made === undefined ? columns : (new RegExp(`const ${made} = .*=> (\\[[\\s\\S]*?\\n\\]);`).exec(text)?.[1] ?? '');
    const arrays = typesOf(list.slice(1, -1)).map((type, place) => `$${place + 1}::${type}`);
    return `${head} select * from unnest(${arrays.join(', ')}) ${tail}`;
  });
}

const files = globSync('src/**/*-sql.ts');
const inserts = files.flatMap(insertsOf);

test('finds every insert of the code', () => {
  const uses = files.flatMap((file) => readFileSync(file, 'utf8').match(/\binserting`/g) ?? []);
  expect(inserts.length).toBeGreaterThan(20);
  expect(inserts).toHaveLength(uses.length);
});

test('the columns of every insert accept the arrays of their types', async () => {
  const service = await startTestService();
  const client = await service.platform.database.connect('bounded');
  try {
    for (const [place, insert] of inserts.entries()) {
      const failure = await client.query(`prepare insert_${place} as ${insert}`).then(
        () => null,
        (error: unknown) => `${String(error)}: ${insert}`,
      );
      expect(failure).toBeNull();
    }
  } finally {
    await client.end();
    await service.stop();
  }
});

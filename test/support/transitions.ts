import { globSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Database, Transaction } from '../../src/db/database.ts';

class Rollback extends Error {}

type Attempt = {
  /** Puts the row into the first state. */
  readonly arrange: (tx: Transaction) => Promise<unknown>;
  readonly write: (tx: Transaction) => Promise<unknown>;
  /** `version` is the row's `ctid`, which changes with every write. */
  readonly read: (tx: Transaction) => Promise<{ readonly state: string; readonly version: string }>;
};

/** The state after a write, or null if the write function refuses or changes nothing. Rolls back. */
export async function stateAfterWrite(database: Database, { arrange, write, read }: Attempt): Promise<string | null> {
  let after: string | null = null;
  const tried = database.transaction(async (tx) => {
    await arrange(tx);
    const before = await read(tx);
    await write(tx);
    const row = await read(tx);
    after = row.version === before.version ? null : row.state;
    throw new Rollback();
  });
  const error: unknown = await tried.catch((thrown: unknown) => thrown);
  if (!(error instanceof Rollback)) expect(String(error)).toContain('still in the state that the decision was based on');
  return after;
}

/** Statements that set the state of a table without taking it from the table of transitions. */
export function otherStateWriters(table: string, column = 'state'): { readonly statements: number; readonly others: readonly string[] } {
  const statements = globSync('src/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(new RegExp(String.raw`update ${table}\b[^\`]*`, 'g'))].map(([text]) => `${path}: ${text}`),
  );
  const setsState = new RegExp(String.raw`\bset\b(?:(?!\bwhere\b)[^])*\b${column} = (?!\$\{stateAfterSql\(|case when \$\{inStates\()`);
  return { statements: statements.length, others: statements.filter((text) => setsState.test(text)) };
}

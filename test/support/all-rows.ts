import type { Database } from '../../src/db/database.ts';
import { sql, verbatim } from '../../src/db/sql.ts';
import { readPublicId, timeOfId, type Id } from '../../src/core/ids.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';

const tablesOf = (database: Database) =>
  database.all<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`);

type Times = {
  /** In business time. */
  readonly copiedAt: Date;
  /** Some columns contain real time, which differs between the two databases. */
  readonly reallyAt: Date;
};

/**
 * The rows of all tables as text in a fixed order, to compare two databases with the same history: times are rounded to the minute, and an
 * ID that was created after the copy is replaced by its minute. Bytes are hashes and sealed values, which are random.
 */
export async function allRows(
  database: Database,
  { without, ...times }: Times & { readonly without: readonly string[] },
): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {};
  for (const { name } of await tablesOf(database)) {
    if (without.includes(name)) continue;
    const rows = await database.all<{ row: string }>(sql`select to_jsonb(each)::text as row from ${verbatim(name)} each`);
    all[name] = rows.map(({ row }) => comparable(row, times)).toSorted();
  }
  return all;
}

const bytes = /"\\\\x[0-9a-f]*"/g;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const publicIdText = /\b([a-z]+)_[0-9a-z]{26}\b/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;

function comparable(row: string, times: Times): string {
  const shown = (at: Date): string =>
    Math.abs(at.getTime() - times.reallyAt.getTime()) < dayMs
      ? 'now'
      : new Date(Math.floor(at.getTime() / minuteMs) * minuteMs).toISOString().slice(0, 16);
  const named = (text: string, id: Id | null, kind: string): string => {
    if (id === null) return text;
    const at = timeOfId(id);
    return at < times.copiedAt && shown(at) !== 'now' ? text : `${kind}@${shown(at)}`;
  };
  return row
    .replaceAll(bytes, '"bytes"')
    .replaceAll(uuid, (text) => named(text, text as Id, 'id'))
    .replaceAll(publicIdText, (text, kind: string) => named(text, readPublicId(kind, text), kind))
    .replaceAll(time, (text) => shown(new Date(text)));
}

import { request } from 'node:http';
import type { Id } from '../../src/platform/ids.ts';
import { sql } from '../../src/platform/database/sql.ts';
import type { Database } from '../../src/platform/database/database.ts';

export type Arrived = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly location: string | null;
  readonly tookMs: number;
};

type Coming = { readonly method?: string; readonly headers?: Readonly<Record<string, string | null>> };

export const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

/**
 * Somebody opens a link, as a browser does unless other headers are given; null leaves a header out. Node's own client and not
 * fetch, which sends headers of its own (`Sec-Fetch-Mode`) and mends paths.
 */
export function visit(url: string, path: string, { method = 'GET', headers = {} }: Coming = {}): Promise<Arrived> {
  const wanted: Readonly<Record<string, string | null>> = { 'user-agent': browser, accept: 'text/html,*/*;q=0.8', ...headers };
  const sent = Object.fromEntries(Object.entries(wanted).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const { hostname, port } = new URL(url);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const going = request({ hostname, port, path, method, headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers: came } = answer;
        resolve({ status, headers: came, text, location: came.location ?? null, tookMs: performance.now() - began });
      });
    });
    going.on('error', reject);
    going.end();
  });
}

/** What a store's links have counted, by kind, over all days and writers. */
export async function figuresOf(database: Database, storeId: Id<'store'>): Promise<Readonly<Record<string, number>>> {
  const rows = await database.all<{ what: string; count: bigint }>(sql`
    select what, sum(count) as count from link_days where store_id = ${storeId} group by what order by what`);
  return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]));
}

import { request } from 'node:http';
import type { Id } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import type { Database } from '../../src/db/database.ts';

export type VisitResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly location: string | null;
  readonly tookMs: number;
};

type VisitOptions = { readonly method?: string; readonly headers?: Readonly<Record<string, string | null>> };

export const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

/**
 * Opens a link as a browser does unless other headers are given; null omits a header. Uses Node's HTTP client instead of fetch, which sends
 * its own headers (`Sec-Fetch-Mode`) and normalizes paths.
 */
export function visit(url: string, path: string, { method = 'GET', headers = {} }: VisitOptions = {}): Promise<VisitResponse> {
  const wanted: Readonly<Record<string, string | null>> = { 'user-agent': browser, accept: 'text/html,*/*;q=0.8', ...headers };
  const sent = Object.fromEntries(Object.entries(wanted).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
  const { hostname, port } = new URL(url);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers: sent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers: answerHeaders } = answer;
        resolve({ status, headers: answerHeaders, text, location: answerHeaders.location ?? null, tookMs: performance.now() - began });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The click counts of a store's links by kind, over all days and writers. */
export async function clickCounts(database: Database, storeId: Id<'store'>): Promise<Readonly<Record<string, number>>> {
  const rows = await database.all<{ what: string; count: bigint }>(sql`
    select what, sum(count) as count from link_days where store_id = ${storeId} group by what order by what`);
  return Object.fromEntries(rows.map(({ what, count }) => [what, Number(count)]));
}

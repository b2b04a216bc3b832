import { newId } from '../src/platform/ids.ts';
import type { Database } from '../src/platform/database/database.ts';
import { sql } from '../src/platform/database/sql.ts';
import { dayMs } from '../src/platform/time.ts';
import { inStretches } from './stretches.ts';

const atOnce = 20_000;
const programs = 100;
const days = 20;

/** Clicks of the last days, of stores that nobody measures; ids as the service mints them, so that the index grows as it does in life. */
export async function fillClicks(database: Database, count: number): Promise<void> {
  const now = Date.now();
  await inStretches(count, atOnce, async (from, to) => {
    const clicks = Array.from({ length: to - from }, (_none, place) =>
      newId(new Date(now - Math.floor((days * dayMs * (count - from - place)) / count))),
    );
    await database.run(sql`
      insert into clicks (store_id, click_id, link_number, program_id, creator_id, sub_id, referrer_host, address_hash)
      select lpad(to_hex(place % ${programs}), 32, '0')::uuid, click_id, place % 1000, lpad('1', 32, '0')::uuid, lpad('2', 32, '0')::uuid,
        null, 'blog.example', decode(md5(click_id::text), 'hex')
      from unnest(${clicks}::uuid[]) with ordinality as fresh (click_id, place)`);
  });
  // As they lie there in life: the server would tidy up after so many in the middle of what is measured.
  await database.run(sql`vacuum (analyze) clicks`);
}

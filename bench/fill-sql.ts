import { newId } from '../src/core/ids.ts';
import type { Database } from '../src/db/database.ts';
import { sql, uuids } from '../src/db/sql.ts';
import { dayMs } from '../src/core/time.ts';
import { inStretches } from './intervals.ts';

const atOnce = 20_000;
const programs = 100;
const days = 20;

/** Clicks of recent days for other stores; the IDs are created as the service does, so that the index grows as in production. */
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
      from unnest(${uuids(clicks)}) with ordinality as fresh (click_id, place)`);
  });
  // Vacuums now, because the server would otherwise do so during the measurement.
  await database.run(sql`vacuum (analyze) clicks`);
}

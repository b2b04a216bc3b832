import type { Database } from '../src/db/database.ts';
import { sql, texts } from '../src/db/sql.ts';
import type { Id } from '../src/core/ids.ts';

const firstNames = ['Farid', 'Nora', 'Ken', 'Aiko', 'Lena', 'Omar', 'Mia', 'Juan', 'Ines', 'Tom'];
const lastNames = ['Noor', 'Berg', 'Silva', 'Kato', 'Weiss', 'Haddad', 'Moreau', 'Costa', 'Lund', 'Reyes', 'Novak', 'Okafor'];

const nameAt = sql`
  (${texts(firstNames)})[1 + place % ${firstNames.length}] || ' ' || (${texts(lastNames)})[1 + (place / 7) % ${lastNames.length}]`;

/** Creators of the installation with different names; the first ones are members of the store. Names the existing creators too. */
export async function fillCreators(database: Database, storeId: Id<'store'>, { creators, members }: ListSizes): Promise<void> {
  await database.run(sql`
    update creators set name = ${nameAt}
    from (select creator_id, row_number() over () as place from creators) as numbered where creators.creator_id = numbered.creator_id`);
  await database.run(sql`
    insert into creators (creator_id, name, email, created_at)
    select md5('creator' || place)::uuid, ${nameAt}, 'creator' || place || '@creator.example', now()
    from generate_series(1, ${creators}::bigint) as place`);
  await database.run(sql`
    insert into programs (store_id, program_id, name, landing_url, status, created_at, attribution_days, hold_days, approval)
    values (${storeId}, md5('p')::uuid, 'Program', 'https://shop.example', 'draft', now(), 30, 30, 'manual')`);
  await database.run(sql`
    insert into members (store_id, member_id, program_id, creator_id, status, since, created_at)
    select ${storeId}, creator_id, md5('p')::uuid, creator_id, 'approved', created_at + make_interval(secs => place % 86400), created_at
    from (select creator_id, created_at, row_number() over (order by created_at) as place from creators) as numbered
    limit ${members}`);
  for (const table of [sql`creators`, sql`members`]) await database.run(sql`analyze ${table}`);
}

export type ListSizes = { readonly creators: number; readonly members: number; readonly invoices: number };

/** Paid invoices of different amounts. */
export async function fillInvoices(database: Database, storeId: Id<'store'>, count: number): Promise<void> {
  await database.run(sql`
    insert into invoices (store_id, invoice_id, state, began_at, number, issued_at, lines_count, lines_cents, fee_basis_points, fee_cents,
      credit_cents, total_cents, paid_at)
    select ${storeId}, md5('invoice' || place)::uuid, 'paid', at, place, at, 1, 1000 + place * 7919 % 100000, 0, 0, 0,
      1000 + place * 7919 % 100000, at
    from (select place, now() - make_interval(days => (${count} - place)::int) as at
      from generate_series(1, ${count}::bigint) as place) as made`);
  await database.run(sql`analyze invoices`);
}

/** Half of the orders have a number that customers see. */
export const orderNameAt = sql`case when place % 2 = 0 then '#' || place end`;

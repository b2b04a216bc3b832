import type { Id } from '../core/ids.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { prepared, sql, uuids } from '../db/sql.ts';
import type { ProgramName } from './programs-sql.ts';
import type { Acceptance } from './terms-of-order.ts';

export type AcceptanceOfCreator = ProgramName & Acceptance & { readonly creatorId: Id<'crt'> };

/** Of creators in programs, for a batch of orders. By primary key; an acceptance that is not committed yet does not count. */
export const acceptancesOfCreators = (
  db: Queryable,
  owners: ReadonlyArray<ProgramName & { readonly creatorId: Id<'crt'> }>,
): Promise<AcceptanceOfCreator[]> =>
  queryByStore(owners, (storeId, ofStore) =>
    db.all<AcceptanceOfCreator>(prepared`
      select store_id, program_id, creator_id, version, accepted_at from terms_acceptances
      where store_id = ${storeId} and program_id = any(${uuids([...new Set(ofStore.map(({ programId }) => programId))])})
        and creator_id = any(${uuids([...new Set(ofStore.map(({ creatorId }) => creatorId))])})
      order by program_id, version`),
  );

/** Of all creators of a program, in the order of acceptance. */
export const acceptancesOfProgram = (db: Queryable, { storeId, programId }: ProgramName): Promise<AcceptanceOfCreator[]> =>
  db.all<AcceptanceOfCreator>(sql`
    select store_id, program_id, creator_id, version, accepted_at from terms_acceptances
    where store_id = ${storeId} and program_id = ${programId} order by accepted_at, creator_id`);

type NewAcceptance = AcceptanceOfCreator & { readonly acceptedBy: string };

/** The caller must have locked the program. */
export const insertAcceptance = (db: Queryable, acceptance: NewAcceptance): Promise<number> =>
  db.run(sql`
    insert into terms_acceptances (store_id, program_id, version, creator_id, accepted_at, accepted_by)
    values (${acceptance.storeId}, ${acceptance.programId}, ${acceptance.version}, ${acceptance.creatorId}, ${acceptance.acceptedAt},
            ${acceptance.acceptedBy})`);

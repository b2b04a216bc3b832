import { publicId } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import type { ProgramName } from './programs-sql.ts';

/** The queue task that informs the members of a program of an announced version; a higher module runs it. */
export const sendNoticesTask = 'send_terms_notices';

/** Must run in the transaction that adds or cancels the version. */
export const enqueueNotices = (db: Queryable, { storeId, programId }: ProgramName, version: number): Promise<void> =>
  enqueue(
    db,
    sendNoticesTask,
    { store: publicId('store', storeId), program: publicId('prog', programId), version },
    { key: `${sendNoticesTask} ${programId} ${version}` },
  );

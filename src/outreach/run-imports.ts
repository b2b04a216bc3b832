import { publicId, type Id } from '../core/ids.ts';
import { realNow, secondMs } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, type Refusal } from '../http/responses.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import type { Platform } from '../runtime/platform.ts';
import { sendsPerDayMax, startOfSendWindow } from './decide-invitation.ts';
import {
  listReadyRows,
  listRunningImports,
  lockRunningImport,
  settleImportRow,
  transitionImport,
  type CreatorImport,
  type ImportKey,
  type StoredImportRow,
} from './imports-sql.ts';
import { countSentSince } from './invitations-sql.ts';
import { isInOtherGroup } from './move-imported-members.ts';
import { findInvitingProgram, inviteCreator, type InvitingProgram } from './invite-creator.ts';

export const runImportsTask = 'run_creator_imports';

const importsPerRunMax = 100;
/** One transaction: about half a second. */
const rowsPerBatchMax = 100;
/** Other tasks of the queue wait for this one. */
const runMsMax = 20 * secondMs;

export const enqueueImports = (db: Queryable): Promise<void> => enqueue(db, runImportsTask, {}, { key: runImportsTask });

/**
 * A task: sends the invitations of running imports, one batch of each in turn. A row and its invitation are committed together, so that
 * a run that is interrupted continues with the next row.
 */
export async function runImports(platform: Platform): Promise<void> {
  const until = realNow().getTime() + runMsMax;
  const failures = tenantFailures(platform.log, 'The creators of a file could not be imported');
  let open: readonly ImportKey[] = await listRunningImports(platform.database, importsPerRunMax);
  while (open.length > 0) {
    if (realNow().getTime() > until) return enqueueImports(platform.database);
    const unfinished: ImportKey[] = [];
    for (const key of open)
      await failures.run(publicId('store', key.storeId), async () => {
        if ((await runBatch(platform, key)) === 'more') unfinished.push(key);
      });
    open = unfinished;
  }
  failures.raise();
}

/** `wait`: the store has sent as many invitations as it may; the import continues when some are older than a day. */
async function runBatch(platform: Platform, key: ImportKey): Promise<'more' | 'done' | 'wait'> {
  return platform.database.transaction(async (tx) => {
    const found = await lockRunningImport(tx, key);
    if (found === null) return 'done';
    const left = sendsPerDayMax - (await countSentSince(tx, key.storeId, startOfSendWindow(realNow())));
    if (left <= 0) return 'wait';
    const rows = await listReadyRows(tx, key, Math.min(rowsPerBatchMax, left));
    for (const result of await inviteRows(tx, platform, found, rows)) await settleImportRow(tx, { ...key, ...result });
    if (rows.length > 0) return 'more';
    await transitionImport(tx, { ...key, event: 'finish', at: realNow() });
    return 'done';
  });
}

type RowResult = Pick<StoredImportRow, 'line' | 'state' | 'reason' | 'invitationId'>;

async function inviteRows(
  db: Queryable,
  platform: Platform,
  { storeId, message, language, madeBy, madeByName }: CreatorImport,
  rows: readonly StoredImportRow[],
): Promise<readonly RowResult[]> {
  const by = { actor: madeBy, name: madeByName, language };
  const programs = new Map<Id<'prog'>, InvitingProgram | Refusal>();
  const results: RowResult[] = [];
  for (const { line, email, programId, creatorName, note, groupId } of rows) {
    const failed = (reason: string): RowResult => ({ line, state: 'skipped', reason, invitationId: null });
    if (email === null || programId === null) {
      results.push(failed('email_missing'));
      continue;
    }
    const to = programs.get(programId) ?? (await findInvitingProgram(db, { storeId, programId }));
    programs.set(programId, to);
    if (isRefusal(to)) {
      results.push(failed('program_not_open'));
      continue;
    }
    const invitee = { email, creatorName, message, note, groupId };
    const { outcome, invitationId } = await inviteCreator(db, platform, { to, by, invitee });
    if (outcome === 'invited') results.push({ line, state: 'invited', reason: null, invitationId });
    else if (outcome === 'already_member' && (await isInOtherGroup(db, { storeId, email, programId, groupId })))
      results.push(failed('member_in_other_group'));
    else results.push({ ...failed(outcome), invitationId });
  }
  return results;
}

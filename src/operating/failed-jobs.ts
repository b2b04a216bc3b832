import { keepMail } from '../notify/mail.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { operators } from '../people/users-sql.ts';
import { jobRuns } from '../platform/database/due-jobs-sql.ts';
import type { Platform } from '../platform/platform.ts';
import { failedJobsLetter } from './failed-jobs-letter.ts';

/**
 * A scheduled job: mails the operators each day which scheduled jobs failed in their last run, with the stores and creators that the error
 * names. No mail is sent where none failed.
 */
export async function reportFailedJobs({ database, config, secrets }: Platform): Promise<void> {
  await database.transaction(async (tx) => {
    const failed = (await jobRuns(tx)).flatMap(({ job, lastError, failures }) =>
      lastError === null ? [] : [{ job, lastError, failures }],
    );
    if (failed.length === 0) return;
    const letter = failedJobsLetter({ failed, url: `${config.baseUrl}/operator/jobs` });
    for (const { email } of await operators(tx, { most: operatorsMax })) await keepMail(tx, secrets, { to: email, letter, storeId: null });
  });
}

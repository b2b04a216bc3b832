import { emailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import { enqueueEmail } from '../people/enqueue-email.ts';
import { operatorsMax } from '../people/operators-sql.ts';
import { listOperatorUsers } from '../people/users-sql.ts';
import { jobRuns } from '../queue/scheduled-jobs-sql.ts';
import type { Platform } from '../runtime/platform.ts';

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
    const content = failedJobsEmail({ failed, url: `${config.baseUrl}/operator/jobs` });
    for (const { email } of await listOperatorUsers(tx, { most: operatorsMax }))
      await enqueueEmail(tx, secrets, { to: email, content, storeId: null });
  });
}

type FailedJob = { readonly job: string; readonly lastError: string; readonly failures: number };

const errorLengthMax = 500;

/** To the operators. Of an error only the first line: the others say where in the source it was thrown. */
export const failedJobsEmail = ({ failed, url }: { readonly failed: readonly FailedJob[]; readonly url: string }): EmailContent => ({
  subject: emailMessage('failed_jobs.subject', { count: failed.length }),
  paragraphs: [
    emailMessage('failed_jobs.body', { count: failed.length }),
    ...failed.map(({ job, lastError, failures }) => {
      const error = (lastError.split('\n')[0] ?? '').slice(0, errorLengthMax);
      return emailMessage('failed_jobs.job', { job, failures, error });
    }),
    emailMessage('failed_jobs.retry'),
  ],
  button: { label: emailMessage('failed_jobs.button'), url },
  footnotes: [emailMessage('failed_jobs.footnote')],
});

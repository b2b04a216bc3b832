import type { Letter } from '../notify/letter.ts';

type FailedJob = { readonly job: string; readonly lastError: string; readonly failures: number };

const errorLengthMax = 500;

/** To the operators. Of an error only the first line: the others say where in the source it was thrown. */
export function failedJobsLetter({ failed, url }: { readonly failed: readonly FailedJob[]; readonly url: string }): Letter {
  const count = failed.length === 1 ? 'A scheduled job' : `${failed.length} scheduled jobs`;
  return {
    subject: `${count} failed`,
    sentences: [
      `${count} failed in the last run:`,
      ...failed.map(({ job, lastError, failures }) => {
        const times = failures === 1 ? 'once' : `${failures} times in a row`;
        return `${job} (${times}): ${(lastError.split('\n')[0] ?? '').slice(0, errorLengthMax)}`;
      }),
      'What a job could not do is due again at its next run. You can also retry it on the jobs page.',
    ],
    button: { label: 'Open jobs', url },
    afterwards: ['This mail is sent each day until no scheduled job fails.'],
  };
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { toasts } from '../../ui/toasts.ts';
import { api, ApiError } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { FailedTask, ScheduledJob } from '../../../../sdk/src/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time, UtcTime } from '../../ui/time.tsx';
import { jobsQuery } from './operator-api.ts';
import styles from './operator.module.css';
import { t } from './messages.ts';

/** Scheduled jobs and failed tasks. */
export function JobsPage() {
  const jobs = useQuery(jobsQuery);
  return (
    <Page title={t.jobs_page.scheduled_jobs} intro={t.jobs_page.jobs_that_run_automatically_work}>
      <QueryView query={jobs} lines={6}>
        {(data) => (
          <>
            <Section title={t.jobs_page.failed_jobs_in_the_queue} intro={t.jobs_page.work_that_follows_a_change} flush>
              {data.queue.length === 0 ? (
                <EmptyState title={t.jobs_page.no_failed_jobs}>{t.jobs_page.failed_jobs_are_retried_automatica}</EmptyState>
              ) : (
                <Table caption={t.jobs_page.failed_jobs_in_the_queue} columns={taskColumns} rows={data.queue} keyOf={({ id }) => id} />
              )}
            </Section>
            <Section title={t.jobs_page.scheduled_jobs_2} intro={t.jobs_page.in_service_time_utc_moving} flush>
              <Table caption={t.jobs_page.scheduled_jobs_2} columns={jobColumns} rows={failedFirst(data.night)} keyOf={({ job }) => job} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** The stored error is short, because it may quote user input. */
const logHint = t.jobs_page.see_the_service_log_for;

/** Failed jobs need attention, so they come first. */
const failedFirst = (jobs: readonly ScheduledJob[]): ScheduledJob[] => [
  ...jobs.filter(({ last_error: error }) => error !== null),
  ...jobs.filter(({ last_error: error }) => error === null),
];

const jobColumns: ReadonlyArray<Column<ScheduledJob>> = [
  { title: t.jobs_page.job, cell: ({ job }) => <strong className="sentence">{job}</strong> },
  { title: t.jobs_page.schedule, cell: ({ rhythm }) => <span className="sentence">{rhythm}</span> },
  { title: t.jobs_page.processed_until, cell: ({ ran_up_to: at }) => (at === null ? t.jobs_page.not_yet : <UtcTime at={at} />) },
  { title: t.jobs_page.next_run, cell: ({ next_at: at }) => (at === null ? t.jobs_page.unknown : <UtcTime at={at} />) },
  { title: t.jobs_page.last_run, cell: (job) => <JobStatus job={job} /> },
  {
    title: t.jobs_page.change,
    kind: 'actions',
    cell: ({ job, last_error: error }) => (
      <RetryButton kind="night" job={job} label={error === null ? t.jobs_page.run : t.jobs_page.retry} />
    ),
  },
];

function JobStatus({ job: { last_error: error, failed_at: at, failures } }: { readonly job: ScheduledJob }) {
  if (error === null) return <Chip label={t.jobs_page.succeeded} tone="good" meaning={t.jobs_page.its_last_run_completed} />;
  return (
    <>
      <Chip
        label={failures === 1 ? t.jobs_page.failed : t.jobs_page.failed_times({ failures })}
        tone="bad"
        meaning={t.jobs_page.it_runs_again_on_schedule}
      />
      <div className={styles.error}>
        {error}. {logHint}
      </div>
      {at !== null && (
        <div className={styles.muted}>
          <UtcTime at={at} />
        </div>
      )}
    </>
  );
}

const taskColumns: ReadonlyArray<Column<FailedTask>> = [
  { title: t.jobs_page.job_2, cell: ({ task }) => <strong>{task.replaceAll('_', ' ')}</strong> },
  { title: t.jobs_page.attempts, kind: 'number', cell: ({ attempts, attempts_max: most }) => t.jobs_page.of({ attempts, most }) },
  { title: t.jobs_page.error, cell: ({ last_error: error }) => <span className={styles.error}>{error}</span> },
  { title: t.jobs_page.next_attempt, cell: (task) => <NextTry task={task} /> },
  { title: t.jobs_page.change, kind: 'actions', cell: ({ id }) => <RetryButton kind="queue" job={id} label={t.jobs_page.retry} /> },
];

function NextTry({ task: { attempts, attempts_max: most, is_running: isRunning, next_at: at } }: { readonly task: FailedTask }) {
  if (isRunning) return <Chip label={t.jobs_page.running} tone="wait" meaning={t.jobs_page.it_is_running_now} />;
  if (attempts >= most) return <Chip label={t.jobs_page.failed_permanently} tone="bad" meaning={t.jobs_page.it_is_not_retried_unless} />;
  return <Time at={at} />;
}

type RetryButtonProps = { readonly kind: 'night' | 'queue'; readonly job: string; readonly label: string };

function RetryButton({ kind, job, label }: RetryButtonProps) {
  const client = useQueryClient();
  const retry = async () => {
    const { ended, error } = await api.post('/jobs/retry', { kind, job });
    await client.invalidateQueries();
    if (ended === 'failed')
      throw new ApiError(200, {
        reason: 'failed',
        message: `${t.jobs_page.the_job_failed({ error: error ?? t.jobs_page.no_error_was_recorded })}. ${logHint}`,
      });
    toasts.show({ message: ended === 'done' ? t.jobs_page.the_job_completed : t.jobs_page.it_runs_within_seconds });
  };
  const isScheduled = kind === 'night';
  return (
    <ConfirmButton
      label={label}
      subject={job}
      variant="subtle"
      title={isScheduled ? t.jobs_page.run_now({ job }) : t.jobs_page.retry_now}
      confirm={isScheduled ? t.jobs_page.run_job : t.jobs_page.retry_2}
      run={retry}
    >
      <p>{isScheduled ? t.jobs_page.processes_everything_due_by_now : t.jobs_page.resets_its_number_of_attempts}</p>
    </ConfirmButton>
  );
}

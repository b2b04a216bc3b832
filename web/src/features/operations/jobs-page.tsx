import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { api, ApiError } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { FailedTask, ScheduledJob } from '../../api/api-schema.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { jobsQuery } from './operator-api.ts';
import styles from './operator.module.css';
import { t } from './messages.ts';

/** Scheduled jobs and failed tasks. */
export function JobsPage() {
  const jobs = useQuery(jobsQuery);
  return (
    <Page title={t.jobs_page.jobs} intro={t.jobs_page.what_runs_by_itself_a}>
      <QueryView query={jobs} lines={6}>
        {(data) => (
          <>
            <Section title={t.jobs_page.failed_in_the_queue} intro={t.jobs_page.work_that_follows_a_change} flush>
              {data.queue.length === 0 ? (
                <EmptyState title={t.jobs_page.nothing_failed}>{t.jobs_page.what_fails_is_tried_again}</EmptyState>
              ) : (
                <Table caption={t.jobs_page.failed_in_the_queue} columns={taskColumns} rows={data.queue} keyOf={({ id }) => id} />
              )}
            </Section>
            <Section title={t.jobs_page.jobs_of_the_night} intro={t.jobs_page.in_business_time_utc_the} flush>
              <Table caption={t.jobs_page.jobs_of_the_night} columns={jobColumns} rows={failedFirst(data.night)} keyOf={({ job }) => job} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** The stored error is short, because it may quote user input. */
const logHint = t.jobs_page.the_log_of_the_service;

/** Failed jobs need attention, so they come first. */
const failedFirst = (jobs: readonly ScheduledJob[]): ScheduledJob[] => [
  ...jobs.filter(({ last_error: error }) => error !== null),
  ...jobs.filter(({ last_error: error }) => error === null),
];

const jobColumns: ReadonlyArray<Column<ScheduledJob>> = [
  { title: t.jobs_page.job, cell: ({ job }) => <strong>{job}</strong> },
  { title: t.jobs_page.rhythm, cell: ({ rhythm }) => rhythm },
  { title: t.jobs_page.looked_up_to, cell: ({ ran_up_to: at }) => (at === null ? t.jobs_page.not_yet : <Time at={at} />) },
  { title: t.jobs_page.due_next, cell: ({ next_at: at }) => (at === null ? t.jobs_page.not_known_yet : <Time at={at} />) },
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
  if (error === null) return <Chip label={t.jobs_page.in_order} tone="good" meaning={t.jobs_page.its_last_run_went_to} />;
  return (
    <>
      <Chip
        label={failures === 1 ? t.jobs_page.failed : t.jobs_page.failed_times({ failures })}
        tone="bad"
        meaning={t.jobs_page.it_comes_again_at_its}
      />
      <div className={styles.error}>
        {error}. {logHint}
      </div>
      {at !== null && (
        <div className={styles.muted}>
          <Time at={at} />
        </div>
      )}
    </>
  );
}

const taskColumns: ReadonlyArray<Column<FailedTask>> = [
  { title: t.jobs_page.work, cell: ({ task }) => <strong>{task.replaceAll('_', ' ')}</strong> },
  { title: t.jobs_page.tries, kind: 'number', cell: ({ attempts, attempts_max: most }) => t.jobs_page.of({ attempts, most }) },
  { title: t.jobs_page.why, cell: ({ last_error: error }) => <span className={styles.error}>{error}</span> },
  { title: t.jobs_page.next_try, cell: (task) => <NextTry task={task} /> },
  { title: t.jobs_page.change, kind: 'actions', cell: ({ id }) => <RetryButton kind="queue" job={id} label={t.jobs_page.retry} /> },
];

function NextTry({ task: { attempts, attempts_max: most, is_running: isRunning, next_at: at } }: { readonly task: FailedTask }) {
  if (isRunning) return <Chip label={t.jobs_page.being_tried} tone="wait" meaning={t.jobs_page.it_runs_right_now} />;
  if (attempts >= most) return <Chip label={t.jobs_page.given_up} tone="bad" meaning={t.jobs_page.it_is_not_tried_again} />;
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
        message: `${t.jobs_page.job_failed({ error: error ?? t.jobs_page.no_error })}. ${logHint}`,
      });
    notifications.show({ message: ended === 'done' ? t.jobs_page.it_ran_to_its_end : t.jobs_page.it_is_tried_within_seconds });
  };
  const isScheduled = kind === 'night';
  return (
    <ConfirmButton
      label={label}
      subject={job}
      variant="subtle"
      title={isScheduled ? t.jobs_page.run_now({ job }) : t.jobs_page.try_it_again_now}
      confirm={isScheduled ? t.jobs_page.run_it : t.jobs_page.try_it}
      run={retry}
    >
      <p>{isScheduled ? t.jobs_page.it_does_what_is_due : t.jobs_page.it_gets_all_its_tries}</p>
    </ConfirmButton>
  );
}

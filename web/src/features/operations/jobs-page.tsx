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

/** Scheduled jobs and failed tasks. */
export function JobsPage() {
  const jobs = useQuery(jobsQuery);
  return (
    <Page title="Jobs" intro="What runs by itself. A job that fails leaves what it did not do for its next turn.">
      <QueryView query={jobs} lines={6}>
        {(data) => (
          <>
            <Section title="Failed in the queue" intro="Work that follows a change at once, such as sending a mail." flush>
              {data.queue.length === 0 ? (
                <EmptyState title="Nothing failed">
                  What fails is tried again by itself, ever more seldom, and stands here meanwhile.
                </EmptyState>
              ) : (
                <Table caption="Failed in the queue" columns={taskColumns} rows={data.queue} keyOf={({ id }) => id} />
              )}
            </Section>
            <Section title="Jobs of the night" intro="In business time, UTC: the sandbox’s clock moves them too." flush>
              <Table caption="Jobs of the night" columns={jobColumns} rows={failedFirst(data.night)} keyOf={({ job }) => job} />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** The stored error is short, because it may quote user input. */
const logHint = 'The log of the service says where.';

/** Failed jobs need attention, so they come first. */
const failedFirst = (jobs: readonly ScheduledJob[]): ScheduledJob[] => [
  ...jobs.filter(({ last_error: error }) => error !== null),
  ...jobs.filter(({ last_error: error }) => error === null),
];

const jobColumns: ReadonlyArray<Column<ScheduledJob>> = [
  { title: 'Job', cell: ({ job }) => <strong>{job}</strong> },
  { title: 'Rhythm', cell: ({ rhythm }) => rhythm },
  { title: 'Looked up to', cell: ({ ran_up_to: at }) => (at === null ? 'not yet' : <Time at={at} />) },
  { title: 'Due next', cell: ({ next_at: at }) => (at === null ? 'not known yet' : <Time at={at} />) },
  { title: 'Last run', cell: (job) => <JobStatus job={job} /> },
  {
    title: 'Change',
    kind: 'actions',
    cell: ({ job, last_error: error }) => <RetryButton kind="night" job={job} label={error === null ? 'Run' : 'Retry'} />,
  },
];

function JobStatus({ job: { last_error: error, failed_at: at, failures } }: { readonly job: ScheduledJob }) {
  if (error === null) return <Chip label="In order" tone="good" meaning="Its last run went to its end." />;
  return (
    <>
      <Chip
        label={failures === 1 ? 'Failed' : `Failed ${failures} times`}
        tone="bad"
        meaning="It comes again at its next turn; what it left undone is still due then."
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
  { title: 'Work', cell: ({ task }) => <strong>{task.replaceAll('_', ' ')}</strong> },
  { title: 'Tries', kind: 'number', cell: ({ attempts, attempts_max: most }) => `${attempts} of ${most}` },
  { title: 'Why', cell: ({ last_error: error }) => <span className={styles.error}>{error}</span> },
  { title: 'Next try', cell: (task) => <NextTry task={task} /> },
  { title: 'Change', kind: 'actions', cell: ({ id }) => <RetryButton kind="queue" job={id} label="Retry" /> },
];

function NextTry({ task: { attempts, attempts_max: most, is_running: isRunning, next_at: at } }: { readonly task: FailedTask }) {
  if (isRunning) return <Chip label="Being tried" tone="wait" meaning="It runs right now." />;
  if (attempts >= most) return <Chip label="Given up" tone="bad" meaning="It is not tried again unless you retry it." />;
  return <Time at={at} />;
}

type RetryButtonProps = { readonly kind: 'night' | 'queue'; readonly job: string; readonly label: string };

function RetryButton({ kind, job, label }: RetryButtonProps) {
  const client = useQueryClient();
  const retry = async () => {
    const { ended, error } = await api.post('/jobs/retry', { kind, job });
    await client.invalidateQueries();
    if (ended === 'failed')
      throw new ApiError(200, { reason: 'failed', message: `It failed: ${error ?? 'no reason was given'}. ${logHint}` });
    notifications.show({ message: ended === 'done' ? 'It ran to its end.' : 'It is tried within seconds.' });
  };
  const isScheduled = kind === 'night';
  return (
    <ConfirmButton
      label={label}
      subject={job}
      variant="subtle"
      title={isScheduled ? `Run “${job}” now?` : 'Try it again now?'}
      confirm={isScheduled ? 'Run it' : 'Try it'}
      run={retry}
    >
      <p>
        {isScheduled
          ? 'It does what is due by now. Jobs are safe to run twice; its next turn stays where it is.'
          : 'It gets all its tries anew.'}
      </p>
    </ConfirmButton>
  );
}

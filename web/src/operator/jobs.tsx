import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { api, ApiProblem } from '../api.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { jobsReading, type FailedTask, type NightJob, type Retried } from './operator-api.ts';
import styles from './operator.module.css';

/** What runs by itself, and what of it failed. */
export function OperatorsJobs() {
  const jobs = useQuery(jobsReading);
  return (
    <Page title="Jobs" intro="What runs by itself. A job that fails leaves what it did not do for its next turn.">
      {jobs.isPending && <Waiting lines={6} />}
      {jobs.isError && <ProblemNote problem={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isSuccess && (
        <>
          <Section title="Failed in the queue" intro="Work that follows a change at once, such as sending a mail." flush>
            {jobs.data.queue.length === 0 ? (
              <Empty title="Nothing failed">What fails is tried again by itself, ever more seldom, and stands here meanwhile.</Empty>
            ) : (
              <Table caption="Failed in the queue" columns={taskColumns} rows={jobs.data.queue} keyOf={({ id }) => id} />
            )}
          </Section>
          <Section title="Jobs of the night" intro="In business time, UTC: the sandbox’s clock moves them too." flush>
            <Table caption="Jobs of the night" columns={nightColumns} rows={failedFirst(jobs.data.night)} keyOf={({ job }) => job} />
          </Section>
        </>
      )}
    </Page>
  );
}

/** What failed is kept in a few words, because an error may quote what people sent. */
const whereMore = 'The log of the service says where.';

/** What failed wants somebody: it stands first. */
const failedFirst = (night: readonly NightJob[]): NightJob[] => [
  ...night.filter(({ last_error: error }) => error !== null),
  ...night.filter(({ last_error: error }) => error === null),
];

const nightColumns: ReadonlyArray<Column<NightJob>> = [
  { title: 'Job', cell: ({ job }) => <strong>{job}</strong> },
  { title: 'Rhythm', cell: ({ rhythm }) => rhythm },
  { title: 'Looked up to', cell: ({ ran_up_to: at }) => (at === null ? 'not yet' : <Time at={at} />) },
  { title: 'Due next', cell: ({ next_at: at }) => (at === null ? 'not known yet' : <Time at={at} />) },
  { title: 'Last run', cell: (job) => <NightState job={job} /> },
  {
    title: 'Change',
    kind: 'actions',
    cell: ({ job, last_error: error }) => <Retry kind="night" job={job} label={error === null ? 'Run' : 'Retry'} />,
  },
];

function NightState({ job: { last_error: error, failed_at: at, failures } }: { readonly job: NightJob }) {
  if (error === null) return <Chip word="In order" tone="good" meaning="Its last run went to its end." />;
  return (
    <>
      <Chip
        word={failures === 1 ? 'Failed' : `Failed ${failures} times`}
        tone="bad"
        meaning="It comes again at its next turn; what it left undone is still due then."
      />
      <div className={styles.error}>
        {error}. {whereMore}
      </div>
      {at !== null && (
        <div className={styles.quiet}>
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
  { title: 'Change', kind: 'actions', cell: ({ id }) => <Retry kind="queue" job={id} label="Retry" /> },
];

function NextTry({ task: { attempts, attempts_max: most, is_running: isRunning, next_at: at } }: { readonly task: FailedTask }) {
  if (isRunning) return <Chip word="Being tried" tone="wait" meaning="It runs right now." />;
  if (attempts >= most) return <Chip word="Given up" tone="bad" meaning="It is not tried again unless you retry it." />;
  return <Time at={at} />;
}

type RetryProps = { readonly kind: 'night' | 'queue'; readonly job: string; readonly label: string };

function Retry({ kind, job, label }: RetryProps) {
  const client = useQueryClient();
  const retry = async () => {
    const { ended, error } = await api.post<Retried>('/jobs/retry', { kind, job });
    await client.invalidateQueries();
    if (ended === 'failed')
      throw new ApiProblem(200, { reason: 'failed', message: `It failed: ${error ?? 'no reason was given'}. ${whereMore}` });
    notifications.show({ message: ended === 'done' ? 'It ran to its end.' : 'It is tried within seconds.' });
  };
  const isNight = kind === 'night';
  return (
    <ConfirmButton
      label={label}
      of={job}
      look="subtle"
      title={isNight ? `Run “${job}” now?` : 'Try it again now?'}
      confirm={isNight ? 'Run it' : 'Try it'}
      run={retry}
    >
      <p>
        {isNight
          ? 'It does what is due by now. Jobs are safe to run twice; its next turn stays where it is.'
          : 'It gets all its tries anew.'}
      </p>
    </ConfirmButton>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { api } from '../api.ts';
import { useAction } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './sandbox-clock.module.css';

type Clock = { readonly now: string };

/** Business time of the sandbox: holds, bills and payouts of weeks are seen in minutes. */
export function SandboxClock() {
  const clock = useQuery(reading<Clock>('/sandbox/clock'));
  const client = useQueryClient();
  const advance = async (by: string) => {
    await api.post('/sandbox/clock', { advance: by });
    // Whatever depends on time is another one now.
    await client.invalidateQueries();
  };
  return (
    <Page
      title="Sandbox clock"
      narrow
      intro="The sandbox’s time can be moved forward, never back. What falls due on the way is done before it answers."
    >
      <Section title="Now, in the sandbox">
        {clock.isPending && <Waiting lines={1} />}
        {clock.isError && <ProblemNote problem={clock.error} onRetry={() => void clock.refetch()} />}
        {clock.isSuccess && (
          <p className={styles.now}>
            <Time at={clock.data.now} />
          </p>
        )}
        <div className={styles.quick}>
          {quick.map(([by, label]) => (
            <Quick key={by} label={label} run={() => advance(by)} />
          ))}
        </div>
      </Section>
      <Section title="Another step">
        <Form send={(values) => advance(values.text('advance'))} submit="Move forward" clears>
          <TextField
            name="advance"
            label="By how much"
            description="A number with d, h, m, s or ms: 45d, 36h, 90m."
            placeholder="45d"
            pattern="\d{1,9}(ms|s|m|h|d)"
          />
        </Form>
      </Section>
    </Page>
  );
}

const quick = [
  ['1h', 'An hour'],
  ['1d', 'A day'],
  ['7d', 'A week'],
  ['31d', '31 days'],
] as const;

function Quick({ label, run }: { readonly label: string; readonly run: () => Promise<void> }) {
  const action = useAction(run);
  return (
    <>
      <Button variant="default" size="xs" loading={action.running} onClick={action.run}>
        {label} forward
      </Button>
      {action.problem && <ProblemNote problem={action.problem} />}
    </>
  );
}

import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import styles from './sandbox-clock.module.css';

/** Moves the time of the sandbox, so that weeks of holds, invoices and payouts pass in minutes. */
export function SandboxClock() {
  const clock = useQuery(apiQuery('/sandbox/clock'));
  const client = useQueryClient();
  const advance = async (by: string) => {
    await api.post('/sandbox/clock', { advance: by });
    // Everything that depends on time is stale now.
    await client.invalidateQueries();
  };
  return (
    <Page
      title="Sandbox clock"
      narrow
      intro="The sandbox’s time can be moved forward, never back. What falls due on the way is done before it answers."
    >
      <Section title="Now, in the sandbox">
        <QueryView query={clock} lines={1}>
          {(data) => (
            <p className={styles.currentTime}>
              <Time at={data.now} />
            </p>
          )}
        </QueryView>
        <div className={styles.presets}>
          {presetSteps.map(([by, label]) => (
            <AdvanceButton key={by} label={label} run={() => advance(by)} />
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

const presetSteps = [
  ['1h', 'An hour'],
  ['1d', 'A day'],
  ['7d', 'A week'],
  ['31d', '31 days'],
] as const;

function AdvanceButton({ label, run }: { readonly label: string; readonly run: () => Promise<void> }) {
  const action = useMutation({ mutationFn: run });
  return (
    <>
      <Button variant="default" size="xs" loading={action.isPending} onClick={() => action.mutate()}>
        {label} forward
      </Button>
      <ErrorAlert error={action.error} />
    </>
  );
}

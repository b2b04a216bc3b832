import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Time } from '../../ui/time.tsx';
import styles from './sandbox-clock.module.css';
import { t } from './messages.ts';

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
    <Page title={t.sandbox_clock.sandbox_clock} narrow intro={t.sandbox_clock.move_the_sandbox_clock_forward}>
      <Section title={t.sandbox_clock.current_sandbox_time}>
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
      <Section title={t.sandbox_clock.custom}>
        <Form send={(values) => advance(values.text('advance'))} submit={t.sandbox_clock.move_forward} clears>
          <TextField
            name="advance"
            label={t.sandbox_clock.duration}
            description={t.sandbox_clock.a_number_with_d}
            placeholder="45d"
            pattern="\d{1,9}(ms|s|m|h|d)"
          />
        </Form>
      </Section>
    </Page>
  );
}

const presetSteps = [
  ['1h', t.sandbox_clock.an_hour],
  ['1d', 'A day'],
  ['7d', 'A week'],
  ['31d', '31 days'],
] as const;

function AdvanceButton({ label, run }: { readonly label: string; readonly run: () => Promise<void> }) {
  const action = useMutation({ mutationFn: run });
  return (
    <>
      <Button variant="default" size="xs" loading={action.isPending} onClick={() => action.mutate()}>
        {t.sandbox_clock.forward({ label })}
      </Button>
      <ErrorAlert error={action.error} />
    </>
  );
}

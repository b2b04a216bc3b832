import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ListedBillingRun, ListedPayoutRun } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { RequestBody } from '../../api/operations.ts';
import { parseHundredths } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { FieldRow, TextField } from '../../ui/fields.tsx';
import { fieldError, Form, type Values } from '../../ui/form.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { type ObjectQuery, refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Run } from './operator-api.ts';
import styles from './operator.module.css';

export type RunDefinition<RunType extends Run> = {
  /** What changes after a run is started. */
  readonly path: '/billing-runs' | '/payout-runs';
  readonly query: (run: string) => ObjectQuery<RunType>;
  readonly start: (request: RunRequest, idempotencyKey?: string) => Promise<RunType>;
  /** The field that limits the run to one store or creator. */
  readonly target: { readonly field: 'store_id' | 'creator_id'; readonly label: string; readonly description: string };
  readonly intro: string;
  readonly submit: string;
  /** The column label for the number of results. */
  readonly countLabel: string;
  readonly emptyText: string;
  readonly confirmation: (run: RunType) => { readonly label: string; readonly title: string; readonly text: ReactNode };
  readonly isEmpty: (run: RunType) => boolean;
  readonly renderResult: (run: RunType) => ReactNode;
};

type ListedRun = Pick<ListedBillingRun, keyof ListedBillingRun & keyof ListedPayoutRun>;
type RunRequest = RequestBody<'/billing-runs', 'post'> & RequestBody<'/payout-runs', 'post'>;
/** The request of the dry run: the run repeats it, with one idempotency key for any number of clicks. */
type DryRun<Made> = { readonly request: RunRequest; readonly run: Made; readonly key: string };
type ManualRunsProps<Made extends Run> = {
  readonly definition: RunDefinition<Made>;
  readonly opened: string | undefined;
  readonly open: (run: string | undefined) => void;
};

/** Manual runs: a dry run first, then the run and its result, and the past runs. */
export function ManualRuns<Made extends Run>({ definition, opened, open }: ManualRunsProps<Made>) {
  const client = useQueryClient();
  const [dryRun, setDryRun] = useState<DryRun<Made> | null>(null);
  const startDryRun = async (values: Values) => {
    const request = parseRequest(values, definition.target.field);
    const run = await definition.start({ ...request, dry_run: true });
    setDryRun({ request, run, key: newIdempotencyKey() });
    open(undefined);
    await refresh(client, definition.path);
  };
  /** Shows either the dry run or a past run. */
  const openPast = (id: string) => {
    setDryRun(null);
    open(id);
  };
  const startRun = async ({ request, key }: DryRun<Made>) => {
    const run = await definition.start(request, key);
    setDryRun(null);
    open(run.id);
    // A run changes invoices, payouts, commissions and balances of many accounts.
    await client.invalidateQueries();
  };
  return (
    <>
      <Section title="A run now" intro={definition.intro}>
        <Form send={startDryRun} submit={definition.submit}>
          <FieldRow>
            <TextField
              name={definition.target.field}
              label={definition.target.label}
              description={definition.target.description}
              optional
              maxLength={40}
            />
            <TextField name="minimum_cents" label="From, USD" description="Instead of the setting; 0 takes everything due." optional />
          </FieldRow>
        </Form>
      </Section>
      {dryRun !== null && (
        <DryRunSection dryRun={dryRun} definition={definition} startRun={() => startRun(dryRun)} discard={() => setDryRun(null)} />
      )}
      {dryRun === null && opened !== undefined && <PastRun definition={definition} id={opened} close={() => open(undefined)} />}
      <Section title="Runs that somebody asked for" flush>
        <ShortList
          caption="Runs"
          path={definition.path}
          keyOf={({ id }) => id}
          columns={columnsOf(definition.countLabel, openPast)}
          empty={<EmptyState title="No run yet">Those of the calendar run by themselves, and stand among the jobs.</EmptyState>}
        />
      </Section>
    </>
  );
}

function parseRequest(values: Values, field: string): RunRequest {
  const [only, least] = [values.text(field), values.text('minimum_cents')];
  const cents = least === '' ? null : parseHundredths(least);
  if (least !== '' && cents === null) throw fieldError('minimum_cents', 'must be an amount such as 25 or 12.50');
  return { ...(only !== '' && { [field]: only }), ...(cents !== null && { minimum_cents: cents }) };
}

type DryRunSectionProps<Made extends Run> = {
  readonly dryRun: DryRun<Made>;
  readonly definition: RunDefinition<Made>;
  readonly startRun: () => Promise<void>;
  readonly discard: () => void;
};

function DryRunSection<Made extends Run>({ dryRun: { run }, definition, startRun, discard }: DryRunSectionProps<Made>) {
  const { label, title, text } = definition.confirmation(run);
  return (
    <Section title="Dry run" intro="Nothing was done yet. This is what would be.">
      {definition.isEmpty(run) ? <p style={{ margin: 0 }}>{definition.emptyText}</p> : definition.renderResult(run)}
      <div className={styles.action}>
        {!definition.isEmpty(run) && (
          <ConfirmButton label={label} title={title} confirm="Go" size="sm" run={startRun}>
            {text}
          </ConfirmButton>
        )}
        <Button variant="subtle" size="sm" onClick={discard}>
          Forget it
        </Button>
      </div>
    </Section>
  );
}

type PastRunProps<Made extends Run> = {
  readonly definition: RunDefinition<Made>;
  readonly id: string;
  readonly close: () => void;
};

function PastRun<Made extends Run>({ definition, id, close }: PastRunProps<Made>) {
  const found = useQuery(definition.query(id));
  const run = found.data;
  return (
    <Section
      title={run?.dry_run === true ? 'What a dry run told' : 'What became of a run'}
      actions={
        <Button variant="subtle" size="xs" onClick={close}>
          Close
        </Button>
      }
    >
      <QueryView query={found} />
      {run !== undefined && (
        <>
          <p className={styles.muted} style={{ marginTop: 0 }}>
            By {run.by_name}, <Time at={run.started_at} />
            {run.ended_at === null && '. It has not ended: it is at work, or goes on by itself.'}
          </p>
          {definition.isEmpty(run) ? <p style={{ margin: 0 }}>{definition.emptyText}</p> : definition.renderResult(run)}
        </>
      )}
    </Section>
  );
}

const columnsOf = (counted: string, open: (run: string) => void): ReadonlyArray<Column<ListedRun>> => [
  { title: 'Began', cell: ({ started_at: at }) => <Time at={at} /> },
  { title: 'By', cell: ({ by_name: name }) => name },
  { title: 'Kind', cell: (run) => <RunStatusChip run={run} /> },
  { title: counted, kind: 'number', cell: ({ count }) => (count === null ? '…' : count.toLocaleString('en-GB')) },
  {
    title: 'Open',
    kind: 'actions',
    cell: ({ id }) => (
      <Button variant="subtle" size="xs" aria-label={`Open the run ${id}`} onClick={() => open(id)}>
        Open
      </Button>
    ),
  },
];

function RunStatusChip({ run: { dry_run: isDry, ended_at: end } }: { readonly run: ListedRun }) {
  if (isDry) return <Chip label="Dry run" tone="neutral" meaning="It told what would be, and did nothing." />;
  if (end === null) return <Chip label="At work" tone="wait" meaning="It has not ended. What it left is gone on with by itself." />;
  return <Chip label="Done" tone="good" meaning="It was carried out to its end." />;
}

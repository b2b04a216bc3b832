import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ListedBillingRun, ListedPayoutRun } from '../../../../sdk/src/api-schema.ts';
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
import { formatTime, Time } from '../../ui/time.tsx';
import type { Run } from './operator-api.ts';
import styles from './operator.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

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
      <Section title={t.manual_runs.manual_run} intro={definition.intro}>
        <Form send={startDryRun} submit={definition.submit}>
          <FieldRow>
            <TextField
              name={definition.target.field}
              label={definition.target.label}
              description={definition.target.description}
              optional
              maxLength={40}
            />
            <TextField
              name="minimum_cents"
              label={t.manual_runs.minimum_usd}
              description={t.manual_runs.overrides_the_setting_0_includes}
              optional
            />
          </FieldRow>
        </Form>
      </Section>
      {dryRun !== null && (
        <DryRunSection dryRun={dryRun} definition={definition} startRun={() => startRun(dryRun)} discard={() => setDryRun(null)} />
      )}
      {dryRun === null && opened !== undefined && <PastRun definition={definition} id={opened} close={() => open(undefined)} />}
      <Section title={t.manual_runs.manual_runs} flush>
        <ShortList
          caption={t.manual_runs.runs}
          path={definition.path}
          keyOf={({ id }) => id}
          columns={columnsOf(definition.countLabel, openPast)}
          empty={<EmptyState title={t.manual_runs.no_manual_runs_yet}>{t.manual_runs.scheduled_runs_are_listed_under}</EmptyState>}
        />
      </Section>
    </>
  );
}

function parseRequest(values: Values, field: string): RunRequest {
  const [only, least] = [values.text(field), values.text('minimum_cents')];
  const cents = least === '' ? null : parseHundredths(least);
  if (least !== '' && cents === null) throw fieldError('minimum_cents', t.manual_runs.must_be_an_amount_such);
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
    <Section title={t.manual_runs.dry_run} intro={t.manual_runs.nothing_has_changed_yet_this}>
      {definition.isEmpty(run) ? <p style={{ margin: 0 }}>{definition.emptyText}</p> : definition.renderResult(run)}
      <div className={styles.action}>
        {!definition.isEmpty(run) && (
          <ConfirmButton label={label} title={title} confirm={t.manual_runs.start_run} size="sm" run={startRun}>
            {text}
          </ConfirmButton>
        )}
        <Button variant="subtle" size="sm" onClick={discard}>
          {t.manual_runs.discard}
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
      title={run?.dry_run === true ? t.manual_runs.result_of_the_dry_run : t.manual_runs.result_of_the_run}
      actions={
        <Button variant="subtle" size="xs" onClick={close}>
          {t.manual_runs.close}
        </Button>
      }
    >
      <QueryView query={found} />
      {run !== undefined && (
        <>
          <p className={styles.muted} style={{ marginTop: 0 }}>
            {t.manual_runs.by} {run.by_name}, <Time at={run.started_at} />
            {run.ended_at === null && t.manual_runs.in_progress_it_resumes_automatical}
          </p>
          {definition.isEmpty(run) ? <p style={{ margin: 0 }}>{definition.emptyText}</p> : definition.renderResult(run)}
        </>
      )}
    </Section>
  );
}

const columnsOf = (counted: string, open: (run: string) => void): ReadonlyArray<Column<ListedRun>> => [
  { title: t.manual_runs.started, cell: ({ started_at: at }) => <Time at={at} /> },
  { title: t.manual_runs.by, cell: ({ by_name: name }) => name },
  { title: t.manual_runs.kind, cell: (run) => <RunStatusChip run={run} /> },
  { title: counted, kind: 'number', cell: ({ count }) => (count === null ? '…' : formats.number(count)) },
  {
    title: t.manual_runs.open,
    kind: 'actions',
    cell: ({ id, started_at: at }) => (
      <Button variant="subtle" size="xs" aria-label={t.manual_runs.open_the_run({ time: formatTime(at) })} onClick={() => open(id)}>
        {t.manual_runs.open}
      </Button>
    ),
  },
];

function RunStatusChip({ run: { dry_run: isDry, ended_at: end } }: { readonly run: ListedRun }) {
  if (isDry) return <Chip label={t.manual_runs.dry_run} tone="neutral" meaning={t.manual_runs.a_preview_it_changed_nothing} />;
  if (end === null)
    return <Chip label={t.manual_runs.in_progress} tone="wait" meaning={t.manual_runs.in_progress_it_resumes_automatical_2} />;
  return <Chip label={t.manual_runs.done} tone="good" meaning={t.manual_runs.it_ran_to_completion} />;
}

import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api } from '../api.ts';
import { readHundredths } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Row, TextField } from '../parts/fields.tsx';
import { faultOf, Form, type Values } from '../parts/form.tsx';
import { newKey } from '../parts/new-key.ts';
import { Empty, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { listing, reading, refresh } from '../parts/reading.ts';
import { PagedTable, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { ListedRun, Run } from './operator-api.ts';
import styles from './operator.module.css';

export type RunWords<Made extends Run> = {
  readonly path: '/billing-runs' | '/payout-runs';
  /** The field that names the only one to look at, and what it is called. */
  readonly only: { readonly field: 'store_id' | 'creator_id'; readonly label: string; readonly description: string };
  readonly intro: string;
  readonly submit: string;
  /** What it makes, as the name of a column. */
  readonly counted: string;
  readonly nothing: string;
  readonly go: (run: Made) => { readonly label: string; readonly title: string; readonly text: ReactNode };
  readonly isEmpty: (run: Made) => boolean;
  readonly show: (run: Made) => ReactNode;
};

type Asked = { readonly [field: string]: string | number };
/** What was looked at: the same is carried out, under one key, however often the button is pressed. */
type Plan<Made> = { readonly asked: Asked; readonly run: Made; readonly key: string };
type RunDeskProps<Made extends Run> = {
  readonly words: RunWords<Made>;
  readonly opened: string | undefined;
  readonly open: (run: string | undefined) => void;
};

/** Dry run first: it tells what would be. Then go, and what became of it. */
export function RunDesk<Made extends Run>({ words, opened, open }: RunDeskProps<Made>) {
  const client = useQueryClient();
  const [plan, setPlan] = useState<Plan<Made> | null>(null);
  const look = async (values: Values) => {
    const asked = askedIn(values, words.only.field);
    const run = await api.post<Made>(words.path, { ...asked, dry_run: true });
    setPlan({ asked, run, key: newKey() });
    open(undefined);
    await refresh(client, words.path);
  };
  /** One thing is shown at a time. */
  const openPast = (id: string) => {
    setPlan(null);
    open(id);
  };
  const go = async ({ asked, key }: Plan<Made>) => {
    const run = await api.post<Made>(words.path, asked, key);
    setPlan(null);
    open(run.id);
    // It changes invoices, payouts, commissions and balances of whomever.
    await client.invalidateQueries();
  };
  return (
    <>
      <Section title="A run now" intro={words.intro}>
        <Form send={look} submit={words.submit}>
          <Row>
            <TextField name={words.only.field} label={words.only.label} description={words.only.description} optional maxLength={40} />
            <TextField name="minimum_cents" label="From, USD" description="Instead of the setting; 0 takes everything due." optional />
          </Row>
        </Form>
      </Section>
      {plan !== null && <Planned plan={plan} words={words} go={() => go(plan)} forget={() => setPlan(null)} />}
      {plan === null && opened !== undefined && <Result words={words} id={opened} close={() => open(undefined)} />}
      <Section title="Runs that somebody asked for" flush>
        <PagedTable
          caption="Runs"
          list={listing<ListedRun>(words.path)}
          keyOf={({ id }) => id}
          columns={columnsOf(words.counted, openPast)}
          empty={<Empty title="No run yet">Those of the calendar run by themselves, and stand among the jobs.</Empty>}
        />
      </Section>
    </>
  );
}

function askedIn(values: Values, field: string): Asked {
  const [only, least] = [values.text(field), values.text('minimum_cents')];
  const cents = least === '' ? null : readHundredths(least);
  if (least !== '' && cents === null) throw faultOf('minimum_cents', 'must be an amount such as 25 or 12.50');
  return { ...(only !== '' && { [field]: only }), ...(cents !== null && { minimum_cents: cents }) };
}

type PlannedProps<Made extends Run> = {
  readonly plan: Plan<Made>;
  readonly words: RunWords<Made>;
  readonly go: () => Promise<void>;
  readonly forget: () => void;
};

function Planned<Made extends Run>({ plan: { run }, words, go, forget }: PlannedProps<Made>) {
  const { label, title, text } = words.go(run);
  return (
    <Section title="Dry run" intro="Nothing was done yet. This is what would be.">
      {words.isEmpty(run) ? <p style={{ margin: 0 }}>{words.nothing}</p> : words.show(run)}
      <div className={styles.go}>
        {!words.isEmpty(run) && (
          <ConfirmButton label={label} title={title} confirm="Go" size="sm" run={go}>
            {text}
          </ConfirmButton>
        )}
        <Button variant="subtle" size="sm" onClick={forget}>
          Forget it
        </Button>
      </div>
    </Section>
  );
}

type ResultProps<Made extends Run> = { readonly words: RunWords<Made>; readonly id: string; readonly close: () => void };

function Result<Made extends Run>({ words, id, close }: ResultProps<Made>) {
  const found = useQuery(reading<Made>(`${words.path}/${id}`));
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
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {run !== undefined && (
        <>
          <p className={styles.quiet} style={{ marginTop: 0 }}>
            By {run.by_name}, <Time at={run.started_at} />
            {run.ended_at === null && '. It has not ended: it is at work, or goes on by itself.'}
          </p>
          {words.isEmpty(run) ? <p style={{ margin: 0 }}>{words.nothing}</p> : words.show(run)}
        </>
      )}
    </Section>
  );
}

const columnsOf = (counted: string, open: (run: string) => void): ReadonlyArray<Column<ListedRun>> => [
  { title: 'Began', cell: ({ started_at: at }) => <Time at={at} /> },
  { title: 'By', cell: ({ by_name: name }) => name },
  { title: 'Kind', cell: (run) => <RunChip run={run} /> },
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

function RunChip({ run: { dry_run: isDry, ended_at: end } }: { readonly run: Run }) {
  if (isDry) return <Chip word="Dry run" tone="calm" meaning="It told what would be, and did nothing." />;
  if (end === null) return <Chip word="At work" tone="wait" meaning="It has not ended. What it left is gone on with by itself." />;
  return <Chip word="Done" tone="good" meaning="It was carried out to its end." />;
}

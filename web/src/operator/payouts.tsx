import { useNavigate, useSearch } from '@tanstack/react-router';
import { countOf } from '../parts/count-of.ts';
import { SaveCsv } from '../parts/save-buttons.tsx';
import { type Cents, dollarsOf, totalCents, usd } from '../parts/amounts.ts';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { useIsWorthAPlace } from '../parts/has-rows.ts';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { PagedTable, Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CreatorLink } from './named.tsx';
import { isToldPaid, payoutsReading, payoutsWhere, type OperatorsPayout, type Run, type RunPayout } from './operator-api.ts';
import styles from './operator.module.css';
import { PayoutActions } from './payout-actions.tsx';
import { OperatorsPayoutChip, RunPayoutChip, ToldPaidChip } from './payout-words.tsx';
import { RunDesk, type RunWords } from './run-desk.tsx';

type PayoutRun = Run & { readonly payouts: readonly RunPayout[]; readonly failures: number };

/** Paying creators: what waits for a person first, then a run out of turn, then all of them. */
export function OperatorsPayouts() {
  const { run, state } = useSearch({ from: '/inside/operator/payouts' });
  const navigate = useNavigate({ from: '/operator/payouts' });
  const set = (search: { readonly run?: string | undefined; readonly state?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...search }), resetScroll: false });
  return (
    <Page
      title="Payouts"
      intro="Creators are paid on the 1st and the 15th by themselves, from what stores have paid. A run does it now."
      actions={
        <ButtonLink variant="default" size="xs" to="/operator/settings">
          Settings
        </ButtonLink>
      }
    >
      <Second />
      <ByHand />
      <RunDesk words={words} opened={run} open={(id) => set({ run: id })} />
      <Section title="All payouts" flush>
        <Filters onClear={state === undefined ? null : () => set({ state: undefined })}>
          <SelectFilter label="State" value={state} options={states} change={(value) => set({ state: value })} />
        </Filters>
        <PagedTable
          caption="Payouts"
          list={payoutsReading(payoutsWhere({ state }))}
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Empty title="None">
              {state === undefined ? 'The first run that finds something to pay makes one.' : 'None is in this state.'}
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const states = [
  ['awaiting_second', 'Waits for a second person'],
  ['sending', 'Being sent'],
  ['unknown', 'Unknown'],
  ['paid', 'Paid'],
  ['failed', 'Failed'],
  ['returned', 'Came back'],
] as const;

function Second() {
  const list = payoutsReading(payoutsWhere({ state: 'awaiting_second' }));
  if (!useIsWorthAPlace(list)) return null;
  return (
    <Section
      title="Waiting for a second person"
      intro="Each is above the limit of the settings. It is confirmed by a person who neither started the run, nor set where it goes, nor is the payee; what the calendar started takes two people. API keys never confirm."
      flush
    >
      <PagedTable caption="Payouts that wait for a second person" list={list} keyOf={({ id }) => id} columns={columns} empty={null} />
    </Section>
  );
}

function ByHand() {
  const path = payoutsWhere({ state: 'sending', provider: 'manual' });
  const list = payoutsReading(path);
  if (!useIsWorthAPlace(list)) return null;
  return (
    <Section
      title="To be paid by hand"
      intro="Download the list for the bank, transfer, then mark each as paid. The list holds full account numbers: it asks for your password, and the audit log records who downloaded it."
      actions={<SaveCsv path={path} name="bank-list.csv" of="the bank list" isGuarded />}
      flush
    >
      <PagedTable caption="Payouts to be paid by hand" list={list} keyOf={({ id }) => id} columns={columns} empty={null} />
    </Section>
  );
}

const columns: ReadonlyArray<Column<OperatorsPayout>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  {
    title: 'State',
    cell: (payout) => (isToldPaid(payout) ? <ToldPaidChip /> : <OperatorsPayoutChip state={payout.state} provider={payout.provider} />),
  },
  {
    title: 'Reference or failure',
    cell: ({ reference, failure }) =>
      failure !== null ? (
        <span className={styles.error}>{failure.message}</span>
      ) : reference === null ? (
        'none yet'
      ) : (
        <span className={`mono ${styles.reference}`}>{reference}</span>
      ),
  },
  { title: 'Change', kind: 'actions', cell: (payout) => <PayoutActions payout={payout} /> },
];

const sumOf = (payouts: readonly RunPayout[]): Cents => totalCents(payouts.map(({ amount_cents: cents }) => cents));
const shownMax = 20;

/** Nothing above the limit is sent by one person: it is not told among what is. */
function WhatIsSent({ payouts }: { readonly payouts: readonly RunPayout[] }) {
  const second = payouts.filter(({ state }) => state === 'awaiting_second');
  const sent = payouts.filter(({ state }) => state !== 'awaiting_second');
  return (
    <>
      {sent.length > 0 && <p>About {usd(sumOf(sent))} are sent now, with what became free since the dry run.</p>}
      {second.length > 0 && (
        <p>
          About {usd(sumOf(second))} are above the limit, and not sent yet: {countOf(second.length, 'payout waits', 'payouts wait')} for a
          second person.
        </p>
      )}
    </>
  );
}

const words: RunWords<PayoutRun> = {
  path: '/payout-runs',
  only: { field: 'creator_id', label: 'Only this creator', description: 'Their ID, crt_…; else all creators.' },
  intro: 'First a dry run: it tells who would be paid, and pays nobody.',
  submit: 'Dry run',
  counted: 'Payouts',
  nothing: 'Nobody is to be paid: nothing that stores have paid is free and reaches the minimum, or a payout is under way already.',
  go: ({ payouts }) => ({
    label: 'Pay them',
    title: `Pay ${countOf(payouts.length, 'creator', 'creators')}?`,
    text: <WhatIsSent payouts={payouts} />,
  }),
  isEmpty: ({ payouts, failures }) => payouts.length === 0 && failures === 0,
  show: ({ payouts, failures }) => (
    <>
      <p className={styles.sum}>
        {countOf(payouts.length, 'payout', 'payouts')}, {usd(sumOf(payouts))}
      </p>
      {failures > 0 && <p>{countOf(failures, 'creator', 'creators')} could not be looked at; the log says why.</p>}
      <Table
        caption="Payouts of the run"
        columns={runColumns}
        rows={payouts.slice(0, shownMax)}
        keyOf={({ id, creator_id: creator }) => id ?? creator}
      />
      {payouts.length > shownMax && <p className={styles.quiet}>And {payouts.length - shownMax} more, which the sum counts too.</p>}
    </>
  ),
};

const runColumns: ReadonlyArray<Column<RunPayout>> = [
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  { title: 'State', cell: (payout) => <RunPayoutChip payout={payout} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => dollarsOf(cents) },
];

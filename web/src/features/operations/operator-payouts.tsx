import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount, formatDollars, sumCents, formatUsd } from '../../ui/format.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import type { Cents } from '../../api/parse-json.ts';
import type { OperatorPayout, PayoutRun } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { api } from '../../api/client.ts';
import { apiQuery } from '../../ui/queries.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { hasRowsOrError, useShortList, ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink } from './entity-links.tsx';
import { isReportedPaid, payoutsPath, type RunPayout } from './operator-api.ts';
import type { PayoutsSearch } from './operator-search.ts';
import styles from './operator.module.css';
import { PayoutActions } from './payout-actions.tsx';
import { OperatorPayoutStatusChip, RunPayoutStatusChip, ReportedPaidChip } from './payout-status-chips.tsx';
import { ManualRuns, type RunDefinition } from './manual-runs.tsx';

/** The payout pages: payouts that need a person, manual runs, and all payouts. */
export function OperatorPayouts() {
  const search = useSearch({ from: '/signed-in/operator/payouts' });
  const navigate = useNavigate({ from: '/operator/payouts' });
  const openRun = (run: string | undefined) => void navigate({ search: (now) => ({ ...now, run }), resetScroll: false });
  const list = useList<'/payouts', Pick<PayoutsSearch, 'state'>>({
    search,
    navigate: (to) => navigate({ search: { ...to.search, run: search.run }, resetScroll: false }),
    path: '/payouts',
    fields: [{ type: 'select', name: 'state', label: 'State', options: states }],
  });
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
      <AwaitingSecondPerson />
      <ManualPayouts />
      <ManualRuns definition={payoutRunDefinition} opened={search.run} open={openRun} />
      <Section title="All payouts" flush>
        <ListView
          list={list}
          caption="Payouts"
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title="None">
              {list.isFiltered ? 'None is in this state.' : 'The first run that finds something to pay makes one.'}
            </EmptyState>
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

function AwaitingSecondPerson() {
  const list = useShortList(payoutsPath({ state: 'awaiting_second' }));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title="Waiting for a second person"
      intro="Each is above the limit of the settings. It is confirmed by a person who neither started the run, nor set where it goes, nor is the payee; what the calendar started takes two people. API keys never confirm."
      flush
    >
      <ListView caption="Payouts that wait for a second person" list={list} keyOf={({ id }) => id} columns={columns} empty={null} />
    </Section>
  );
}

function ManualPayouts() {
  const path = payoutsPath({ state: 'sending', provider: 'manual' });
  const list = useShortList(path);
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title="To be paid by hand"
      intro="Download the list for the bank, transfer, then mark each as paid. The list holds full account numbers: it asks for your password, and the audit log records who downloaded it."
      actions={<ExportCsvButton path={path} name="bank-list.csv" subject="the bank list" needsProof />}
      flush
    >
      <ListView caption="Payouts to be paid by hand" list={list} keyOf={({ id }) => id} columns={columns} empty={null} />
    </Section>
  );
}

const columns: ReadonlyArray<Column<OperatorPayout>> = [
  { title: 'Made', cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: 'State',
    cell: (payout) =>
      isReportedPaid(payout) ? <ReportedPaidChip /> : <OperatorPayoutStatusChip state={payout.state} provider={payout.provider} />,
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

const totalOf = (payouts: readonly RunPayout[]): Cents => sumCents(payouts.map(({ amount_cents: cents }) => cents));
const shownMax = 20;

/** Payouts above the limit need a second person, so they are listed separately. */
function RunConfirmationText({ payouts }: { readonly payouts: readonly RunPayout[] }) {
  const second = payouts.filter(({ state }) => state === 'awaiting_second');
  const sent = payouts.filter(({ state }) => state !== 'awaiting_second');
  return (
    <>
      {sent.length > 0 && <p>About {formatUsd(totalOf(sent))} are sent now, with what became free since the dry run.</p>}
      {second.length > 0 && (
        <p>
          About {formatUsd(totalOf(second))} are above the limit, and not sent yet:{' '}
          {formatCount(second.length, 'payout waits', 'payouts wait')} for a second person.
        </p>
      )}
    </>
  );
}

const payoutRunDefinition: RunDefinition<PayoutRun> = {
  path: '/payout-runs',
  query: (run) => apiQuery(apiPath('/payout-runs/{run}', { run })),
  start: (request, key) => api.post('/payout-runs', request, key),
  target: { field: 'creator_id', label: 'Only this creator', description: 'Their ID, crt_…; else all creators.' },
  intro: 'First a dry run: it tells who would be paid, and pays nobody.',
  submit: 'Dry run',
  countLabel: 'Payouts',
  emptyText: 'Nobody is to be paid: nothing that stores have paid is free and reaches the minimum, or a payout is under way already.',
  confirmation: ({ payouts }) => ({
    label: 'Pay them',
    title: `Pay ${formatCount(payouts.length, 'creator', 'creators')}?`,
    text: <RunConfirmationText payouts={payouts} />,
  }),
  isEmpty: ({ payouts, failures }) => payouts.length === 0 && failures === 0,
  renderResult: ({ payouts, failures }) => (
    <>
      <p className={styles.sum}>
        {formatCount(payouts.length, 'payout', 'payouts')}, {formatUsd(totalOf(payouts))}
      </p>
      {failures > 0 && <p>{formatCount(failures, 'creator', 'creators')} could not be looked at; the log says why.</p>}
      <Table
        caption="Payouts of the run"
        columns={runColumns}
        rows={payouts.slice(0, shownMax)}
        keyOf={({ id, creator_id: creator }) => id ?? creator}
      />
      {payouts.length > shownMax && <p className={styles.muted}>And {payouts.length - shownMax} more, which the sum counts too.</p>}
    </>
  ),
};

const runColumns: ReadonlyArray<Column<RunPayout>> = [
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  { title: 'State', cell: (payout) => <RunPayoutStatusChip payout={payout} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

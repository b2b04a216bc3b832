import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount, formatDollars, sumCents, formatUsd } from '../../ui/format.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import type { OperatorPayout, PayoutRun } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';

/** The payout pages: payouts that need a person, manual runs, and all payouts. */
export function OperatorPayouts() {
  const search = useSearch({ from: '/signed-in/operator/payouts' });
  const navigate = useNavigate({ from: '/operator/payouts' });
  const openRun = (run: string | undefined) => void navigate({ search: (now) => ({ ...now, run }), resetScroll: false });
  const list = useList<'/payouts', Pick<PayoutsSearch, 'state'>>({
    search,
    navigate: (to) => navigate({ ...to, search: (now) => ({ run: now.run, ...to.search(now) }), resetScroll: false }),
    path: '/payouts',
    defaultSort: '-made_at',
    fields: [{ type: 'select', name: 'state', label: t.operator_payouts.state, options: states }],
  });
  return (
    <Page
      title={t.operator_payouts.payouts}
      intro={t.operator_payouts.creators_are_paid_automatically_on}
      actions={
        <ButtonLink variant="default" size="xs" to="/operator/settings">
          {t.operator_payouts.settings}
        </ButtonLink>
      }
    >
      <AwaitingSecondPerson />
      <ManualPayouts />
      <ManualRuns definition={payoutRunDefinition} opened={search.run} open={openRun} />
      <Section title={t.operator_payouts.all_payouts} flush>
        <ListView
          list={list}
          caption={t.operator_payouts.payouts}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState title={t.operator_payouts.no_payouts}>
              {list.isFiltered ? t.operator_payouts.no_payouts_in_this_state : t.operator_payouts.payouts_appear_here_after_the}
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
}

const states = [
  ['awaiting_second', t.operator_payouts.needs_second_person],
  ['sending', t.operator_payouts.sending],
  ['unknown', t.operator_payouts.unknown],
  ['paid', t.operator_payouts.paid],
  ['failed', t.operator_payouts.failed],
  ['returned', t.operator_payouts.returned],
] as const;

function AwaitingSecondPerson() {
  const list = useShortList(payoutsPath({ state: 'awaiting_second' }));
  if (!hasRowsOrError(list)) return null;
  return (
    <Section title={t.operator_payouts.waiting_for_a_second_person} intro={t.operator_payouts.these_payouts_are_above_the} flush>
      <ListView
        caption={t.operator_payouts.payouts_waiting_for_a_second}
        list={list}
        keyOf={({ id }) => id}
        columns={columns}
        empty={null}
      />
    </Section>
  );
}

function ManualPayouts() {
  const path = payoutsPath({ state: 'sending', provider: 'manual' });
  const list = useShortList(path);
  if (!hasRowsOrError(list)) return null;
  return (
    <Section
      title={t.operator_payouts.manual_transfers}
      intro={t.operator_payouts.download_the_list_for_your}
      actions={<ExportCsvButton path={path} name="bank-list.csv" subject={t.operator_payouts.the_bank_list} needsProof />}
      flush
    >
      <ListView
        caption={t.operator_payouts.payouts_to_transfer_manually}
        list={list}
        keyOf={({ id }) => id}
        columns={columns}
        empty={null}
      />
    </Section>
  );
}

const columns: ReadonlyArray<Column<OperatorPayout>> = [
  { title: t.operator_payouts.created, sort: 'made_at', priority: true, cell: ({ made_at: at }) => <Time at={at} dateOnly /> },
  { title: t.operator_payouts.creator, priority: true, kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  {
    title: t.operator_payouts.amount_usd,
    sort: 'amount_cents',
    priority: true,
    kind: 'number',
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    title: t.operator_payouts.state,
    priority: true,
    cell: (payout) =>
      isReportedPaid(payout) ? <ReportedPaidChip /> : <OperatorPayoutStatusChip state={payout.state} provider={payout.provider} />,
  },
  {
    title: t.operator_payouts.reference_or_error,
    cell: ({ reference, failure }) =>
      failure !== null ? (
        <span className={styles.error}>{failure.message}</span>
      ) : reference === null ? (
        t.operator_payouts.none_yet
      ) : (
        <span className={`mono ${styles.reference}`}>{reference}</span>
      ),
  },
  { title: t.operator_payouts.change, kind: 'actions', cell: (payout) => <PayoutActions payout={payout} /> },
];

const totalOf = (payouts: readonly RunPayout[]): Cents => sumCents(payouts.map(({ amount_cents: cents }) => cents));
const shownMax = 20;

/** Payouts above the limit need a second person, so they are listed separately. */
function RunConfirmationText({ payouts }: { readonly payouts: readonly RunPayout[] }) {
  const second = payouts.filter(({ state }) => state === 'awaiting_second');
  const sent = payouts.filter(({ state }) => state !== 'awaiting_second');
  return (
    <>
      {sent.length > 0 && <p>{t.operator_payouts.about_is_sent_now_including({ sent: totalOf(sent) })}</p>}
      {second.length > 0 && <p>{t.operator_payouts.about_is_above_the_limit({ second: totalOf(second), second2: second.length })}</p>}
    </>
  );
}

const payoutRunDefinition: RunDefinition<PayoutRun> = {
  path: '/payout-runs',
  query: (run) => apiQuery(apiPath('/payout-runs/{run}', { run })),
  start: (request, key) => api.post('/payout-runs', request, key),
  target: { field: 'creator_id', label: t.operator_payouts.creator_id, description: t.operator_payouts.an_id_such_as_crt },
  intro: t.operator_payouts.start_with_a_dry_run,
  submit: t.operator_payouts.dry_run,
  countLabel: t.operator_payouts.payouts,
  emptyText: t.operator_payouts.no_payouts_are_due_no,
  confirmation: ({ payouts }) => ({
    label: t.operator_payouts.send_payouts,
    title: t.operator_payouts.pay_creators({ payouts: payouts.length }),
    text: <RunConfirmationText payouts={payouts} />,
  }),
  isEmpty: ({ payouts, failures }) => payouts.length === 0 && failures === 0,
  renderResult: ({ payouts, failures }) => (
    <>
      <p className={styles.sum}>
        {formatCount(payouts.length, 'payout', 'payouts')}, {formatUsd(totalOf(payouts))}
      </p>
      {failures > 0 && <p>{t.operator_payouts.creators_could_not_be_processed({ failures })}</p>}
      <Table
        caption={t.operator_payouts.payouts_of_this_run}
        columns={runColumns}
        rows={payouts.slice(0, shownMax)}
        keyOf={({ id, creator_id: creator }) => id ?? creator}
      />
      {payouts.length > shownMax && (
        <p className={styles.muted}>{t.operator_payouts.and_more_included_in_the({ value: payouts.length - shownMax })}</p>
      )}
    </>
  ),
};

const runColumns: ReadonlyArray<Column<RunPayout>> = [
  { title: t.operator_payouts.creator, kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  { title: t.operator_payouts.state, priority: true, cell: (payout) => <RunPayoutStatusChip payout={payout} /> },
  { title: t.operator_payouts.amount_usd, kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

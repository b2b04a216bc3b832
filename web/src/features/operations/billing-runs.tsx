import { useNavigate, useSearch } from '@tanstack/react-router';
import { InvoiceStatusChip } from '../billing/billing-status-chips.tsx';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import type { BillingRun } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { api } from '../../api/client.ts';
import { apiQuery } from '../../ui/queries.ts';
import { formatDollars, sumCents, formatUsd, formatCount } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { StoreLink } from './entity-links.tsx';
import styles from './operator.module.css';
import { ManualRuns, type RunDefinition } from './manual-runs.tsx';
import { t } from './messages.ts';

type RunInvoice = BillingRun['invoices'][number];

/** Manual billing runs. Scheduled runs do the same on the 1st and the 4th. */
export function BillingRuns() {
  const { run } = useSearch({ from: '/signed-in/operator/billing-runs' });
  const navigate = useNavigate({ from: '/operator/billing-runs' });
  return (
    <Page
      title={t.billing_runs.billing_runs}
      intro={t.billing_runs.invoices_are_issued_on_the}
      actions={
        <>
          <ButtonLink variant="default" size="xs" to="/operator/charges">
            {t.billing_runs.open_charges}
          </ButtonLink>
          <ButtonLink variant="default" size="xs" to="/operator/settings">
            {t.billing_runs.settings}
          </ButtonLink>
        </>
      }
    >
      <ManualRuns
        definition={billingRunDefinition}
        opened={run}
        open={(id) => void navigate({ search: id === undefined ? {} : { run: id }, resetScroll: false })}
      />
    </Page>
  );
}

const totalOf = (invoices: readonly RunInvoice[]): Cents => sumCents(invoices.map(({ total_cents: cents }) => cents));

/** Store names are loaded one by one, and a longer table is not read. */
const shownMax = 20;

const billingRunDefinition: RunDefinition<BillingRun> = {
  path: '/billing-runs',
  query: (run) => apiQuery(apiPath('/billing-runs/{run}', { run })),
  start: (request, key) => api.post('/billing-runs', request, key),
  target: { field: 'store_id', label: t.billing_runs.store_id, description: t.billing_runs.an_id_such_as_store },
  intro: t.billing_runs.start_with_a_dry_run,
  submit: t.billing_runs.dry_run,
  countLabel: t.billing_runs.invoices,
  emptyText: t.billing_runs.nothing_is_due_no_store,
  confirmation: ({ invoices }) => ({
    label: t.billing_runs.issue_and_charge,
    title: t.billing_runs.issue_and_charge_invoices({ invoices: invoices.length }),
    text: <p>{t.billing_runs.about_is_charged_now_including({ invoices: totalOf(invoices) })}</p>,
  }),
  isEmpty: ({ invoices }) => invoices.length === 0,
  renderResult: ({ invoices, dry_run: isDry }) => (
    <>
      <p className={styles.sum}>
        {formatCount(invoices.length, 'invoice', 'invoices')}, {formatUsd(totalOf(invoices))}
      </p>
      <Table
        caption={t.billing_runs.invoices_of_this_run}
        columns={columnsOf(isDry)}
        rows={invoices.slice(0, shownMax)}
        keyOf={({ id, store_id: store }) => id ?? store}
      />
      {invoices.length > shownMax && (
        <p className={styles.muted}>{t.billing_runs.and_more_included_in_the({ value: invoices.length - shownMax })}</p>
      )}
    </>
  ),
};

const columnsOf = (isDry: boolean): ReadonlyArray<Column<RunInvoice>> => [
  { title: t.billing_runs.store, kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  {
    title: t.billing_runs.state,
    cell: (invoice) => <RunInvoiceChip invoice={invoice} isDry={isDry} />,
  },
  { title: t.billing_runs.total_usd, kind: 'number', cell: ({ total_cents: cents }) => formatDollars(cents) },
];

/** The result of the run; retries are shown on the store's page. */
function RunInvoiceChip({ invoice, isDry }: { readonly invoice: RunInvoice; readonly isDry: boolean }) {
  const { id, state, total_cents: total } = invoice;
  if (isDry && id === null)
    return <Chip label={t.billing_runs.would_be_issued} tone="neutral" meaning={t.billing_runs.no_invoice_yet_the_run} />;
  if (isDry) return <Chip label={t.billing_runs.would_be_charged} tone="neutral" meaning={t.billing_runs.already_issued_the_run_charges} />;
  if (state === 'retrying')
    return <Chip label={t.billing_runs.charge_declined} tone="bad" meaning={t.billing_runs.the_charge_was_declined_see} />;
  if (state === 'issued') return <Chip label={t.billing_runs.issued} tone="wait" meaning={t.billing_runs.not_charged_in_this_run} />;
  return <InvoiceStatusChip invoice={{ state, next_charge_at: null, total_cents: total }} />;
}

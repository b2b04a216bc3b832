import { useNavigate, useSearch } from '@tanstack/react-router';
import { InvoiceStatusChip } from '../billing/billing-status-chips.tsx';
import type { Cents } from '../../api/parse-json.ts';
import type { BillingRun } from '../../api/api-schema.ts';
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

type RunInvoice = BillingRun['invoices'][number];

/** Manual billing runs. Scheduled runs do the same on the 1st and the 4th. */
export function BillingRuns() {
  const { run } = useSearch({ from: '/signed-in/operator/billing-runs' });
  const navigate = useNavigate({ from: '/operator/billing-runs' });
  return (
    <Page
      title="Billing runs"
      intro="Stores are billed on the 1st and charged on the 4th by themselves. A run does it now."
      actions={
        <>
          <ButtonLink variant="default" size="xs" to="/operator/charges">
            Open charges
          </ButtonLink>
          <ButtonLink variant="default" size="xs" to="/operator/settings">
            Settings
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
  target: { field: 'store_id', label: 'Only this store', description: 'Its ID, store_…; else all stores.' },
  intro: 'First a dry run: it tells what would be issued and charged, and does nothing.',
  submit: 'Dry run',
  countLabel: 'Invoices',
  emptyText: 'Nothing is due: no store has approved commissions past their hold that reach the minimum, or an invoice to be charged.',
  confirmation: ({ invoices }) => ({
    label: 'Issue and charge',
    title: `Issue and charge ${formatCount(invoices.length, 'invoice', 'invoices')}?`,
    text: (
      <p>
        About {formatUsd(totalOf(invoices))} are charged now, with what became due since the dry run. It cannot be undone; what was wrong is
        credited.
      </p>
    ),
  }),
  isEmpty: ({ invoices }) => invoices.length === 0,
  renderResult: ({ invoices, dry_run: isDry }) => (
    <>
      <p className={styles.sum}>
        {formatCount(invoices.length, 'invoice', 'invoices')}, {formatUsd(totalOf(invoices))}
      </p>
      <Table
        caption="Invoices of the run"
        columns={columnsOf(isDry)}
        rows={invoices.slice(0, shownMax)}
        keyOf={({ id, store_id: store }) => id ?? store}
      />
      {invoices.length > shownMax && <p className={styles.muted}>And {invoices.length - shownMax} more, which the sum counts too.</p>}
    </>
  ),
};

const columnsOf = (isDry: boolean): ReadonlyArray<Column<RunInvoice>> => [
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  {
    title: 'State',
    cell: (invoice) => <RunInvoiceChip invoice={invoice} isDry={isDry} />,
  },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => formatDollars(cents) },
];

/** The result of the run; retries are shown on the store's page. */
function RunInvoiceChip({ invoice, isDry }: { readonly invoice: RunInvoice; readonly isDry: boolean }) {
  const { id, state, total_cents: total } = invoice;
  if (isDry && id === null)
    return <Chip label="Would be issued" tone="neutral" meaning="There is no invoice yet; the run makes it and charges it." />;
  if (isDry) return <Chip label="Would be charged" tone="neutral" meaning="It is issued already; the run charges it now." />;
  if (state === 'retrying')
    return <Chip label="Charge failed" tone="bad" meaning="It was declined. When it is tried again stands at the store." />;
  if (state === 'issued')
    return <Chip label="Issued" tone="wait" meaning="It was not charged in this run. What is next stands at the store." />;
  return <InvoiceStatusChip invoice={{ state, next_charge_at: null, total_cents: total }} />;
}

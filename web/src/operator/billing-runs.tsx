import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Invoice } from '../merchant/billing-api.ts';
import { InvoiceChip } from '../merchant/billing-chips.tsx';
import { type Cents, dollarsOf, totalCents, usd } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { countOf } from '../parts/count-of.ts';
import { ButtonLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { StoreLink } from './named.tsx';
import type { Run } from './operator-api.ts';
import styles from './operator.module.css';
import { RunDesk, type RunWords } from './run-desk.tsx';

type RunInvoice = {
  readonly id: string | null;
  readonly store_id: string;
  readonly total_cents: Cents;
  readonly state: Invoice['state'];
};
type BillingRun = Run & { readonly invoices: readonly RunInvoice[] };

/** Charging stores out of turn. The calendar does the same on the 1st and the 4th. */
export function BillingRuns() {
  const { run } = useSearch({ from: '/inside/operator/billing-runs' });
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
      <RunDesk
        words={words}
        opened={run}
        open={(id) => void navigate({ search: id === undefined ? {} : { run: id }, resetScroll: false })}
      />
    </Page>
  );
}

const sumOf = (invoices: readonly RunInvoice[]): Cents => totalCents(invoices.map(({ total_cents: cents }) => cents));

/** More than this nobody reads; the names of stores are read one by one. */
const shownMax = 20;

const words: RunWords<BillingRun> = {
  path: '/billing-runs',
  only: { field: 'store_id', label: 'Only this store', description: 'Its ID, store_…; else all stores.' },
  intro: 'First a dry run: it tells what would be issued and charged, and does nothing.',
  submit: 'Dry run',
  counted: 'Invoices',
  nothing: 'Nothing is due: no store has approved commissions past their hold that reach the minimum, or an invoice to be charged.',
  go: ({ invoices }) => ({
    label: 'Issue and charge',
    title: `Issue and charge ${countOf(invoices.length, 'invoice', 'invoices')}?`,
    text: (
      <p>
        About {usd(sumOf(invoices))} are charged now, with what became due since the dry run. It cannot be undone; what was wrong is
        credited.
      </p>
    ),
  }),
  isEmpty: ({ invoices }) => invoices.length === 0,
  show: ({ invoices, dry_run: isDry }) => (
    <>
      <p className={styles.sum}>
        {countOf(invoices.length, 'invoice', 'invoices')}, {usd(sumOf(invoices))}
      </p>
      <Table
        caption="Invoices of the run"
        columns={columnsOf(isDry)}
        rows={invoices.slice(0, shownMax)}
        keyOf={({ id, store_id: store }) => id ?? store}
      />
      {invoices.length > shownMax && <p className={styles.quiet}>And {invoices.length - shownMax} more, which the sum counts too.</p>}
    </>
  ),
};

const columnsOf = (isDry: boolean): ReadonlyArray<Column<RunInvoice>> => [
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  {
    title: 'State',
    cell: (invoice) => <RunInvoiceChip invoice={invoice} isDry={isDry} />,
  },
  { title: 'Total, USD', kind: 'number', cell: ({ total_cents: cents }) => dollarsOf(cents) },
];

/** What would be, or how it stood when the run ended; when it is charged again stands at the store. */
function RunInvoiceChip({ invoice, isDry }: { readonly invoice: RunInvoice; readonly isDry: boolean }) {
  const { id, state, total_cents: total } = invoice;
  if (isDry && id === null)
    return <Chip word="Would be issued" tone="calm" meaning="There is no invoice yet; the run makes it and charges it." />;
  if (isDry) return <Chip word="Would be charged" tone="calm" meaning="It is issued already; the run charges it now." />;
  if (state === 'retrying')
    return <Chip word="Charge failed" tone="bad" meaning="It was declined. When it is tried again stands at the store." />;
  if (state === 'issued')
    return <Chip word="Issued" tone="wait" meaning="It was not charged in this run. What is next stands at the store." />;
  return <InvoiceChip invoice={{ state, next_charge_at: null, total_cents: total }} />;
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { type Cents, dollarsOf, percentOf, usd } from '../parts/amounts.ts';
import { Drawer, DrawerPart, RawJson } from '../parts/drawer.tsx';
import { Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { readingInPages } from '../parts/reading.ts';
import { ShowMore } from '../parts/show-more.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { invoicesPath, type Charge, type InvoiceLine, type WholeInvoice } from './billing-api.ts';
import { ChargeChip, InvoiceChip } from './billing-chips.tsx';
import styles from './billing.module.css';
import { SaveButtons } from '../parts/save-buttons.tsx';

const linesPerPage = 50;

type InvoiceDrawerProps = { readonly store: string; readonly id: string | undefined; readonly close: () => void };

/** One bill with all that is on it, and how it was tried to be charged. */
export function InvoiceDrawer({ store, id, close }: InvoiceDrawerProps) {
  const path = `${invoicesPath(store)}/${id}`;
  const found = useInfiniteQuery({
    ...readingInPages<WholeInvoice>({ path, limit: linesPerPage, next: (page) => page.next_cursor }),
    enabled: id !== undefined,
  });
  const invoice = found.data?.pages[0];
  return (
    <Drawer title={invoice?.number ?? 'Invoice'} opened={id !== undefined} onClose={close}>
      {found.isPending && <Waiting />}
      {found.isError && !found.isFetchNextPageError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {invoice !== undefined && (
        <>
          <div className={styles.files}>
            <SaveButtons path={path} name={invoice.number} of="the invoice" />
          </div>
          <What invoice={invoice} />
          <DrawerPart title="Charges">
            <Charges charges={invoice.charges} total={invoice.total_cents} />
          </DrawerPart>
          <DrawerPart title="Commissions">
            <div className={styles.inDrawer}>
              <Table
                caption="Commissions on the invoice"
                columns={lineColumns(store)}
                rows={found.data?.pages.flatMap(({ lines }) => lines) ?? []}
                keyOf={({ commission_id: line }) => line}
              />
            </div>
            {found.hasNextPage && <ShowMore of={found} />}
          </DrawerPart>
          <RawJson value={invoice} />
        </>
      )}
    </Drawer>
  );
}

function What({ invoice }: { readonly invoice: WholeInvoice }) {
  const { fee_basis_points: fee, credit_cents: credit, credited_cents: credited, written_off_cents: writtenOff, paid_at: paid } = invoice;
  return (
    <Facts
      facts={[
        ['State', <InvoiceChip key="s" invoice={invoice} />],
        ['Issued', <Time key="i" at={invoice.issued_at} />],
        [`Commissions, ${invoice.lines_count}`, usd(invoice.lines_cents)],
        [`Platform fee, ${percentOf(fee)}`, usd(invoice.fee_cents)],
        ...(credit > 0 ? [['Credit used', `−${usd(credit)}`] as const] : []),
        ['Total', <strong key="t">{usd(invoice.total_cents)}</strong>],
        ...(credited > 0 ? [['Credited since', usd(credited)] as const] : []),
        ...(writtenOff > 0 ? [['Waived, too little', usd(writtenOff)] as const] : []),
        ['Still open', usd(invoice.due_cents)],
        ...(paid === null ? [] : [['Paid', <Time key="p" at={paid} />] as const]),
        ...(invoice.next_charge_at === null ? [] : [['Is charged next', <Time key="n" at={invoice.next_charge_at} />] as const]),
      ]}
    />
  );
}

function Charges({ charges, total }: { readonly charges: readonly Charge[]; readonly total: Cents }) {
  if (charges.length === 0) return <p>{total === 0 ? 'None: your credit covered it.' : 'None yet.'}</p>;
  return (
    <ul className={styles.charges}>
      {charges.map(({ id, state, amount_cents: cents, is_backup: isBackup, message, made_at: at }) => (
        <li key={id}>
          <span className={styles.method}>
            <ChargeChip state={state} />
            <strong className="number">{usd(cents)}</strong>
            {isBackup && <span className={styles.quiet}>by the backup method</span>}
          </span>
          {message !== null && <span>{message}</span>}
          <span className={styles.quiet}>
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const lineColumns = (store: string): ReadonlyArray<Column<InvoiceLine>> => [
  {
    title: 'Order',
    cell: ({ commission_id: id, order_id: order, invoice_id: invoice }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: id }}>
        {order ?? invoice ?? id}
      </TextLink>
    ),
  },
  { title: 'Creator', kind: 'name', cell: ({ creator_name: name }) => name },
  {
    title: 'USD',
    kind: 'number',
    cell: ({ amount_cents: cents, credit_note: note }) => (
      <>
        {dollarsOf(cents)}
        {note !== null && <div className={styles.quiet}>credited: {note}</div>}
      </>
    ),
  },
];

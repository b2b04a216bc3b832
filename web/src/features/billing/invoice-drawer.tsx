import { useInfiniteQuery } from '@tanstack/react-query';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { Charge, InvoiceLine, InvoiceDetails } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { formatDollars, formatPercent, formatUsd } from '../../ui/format.ts';
import { Drawer, DrawerSection, RawJson } from '../../ui/drawer.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { apiPagedQuery, noId } from '../../ui/queries.ts';
import { ShowMore, Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ChargeStatusChip, InvoiceStatusChip } from './billing-status-chips.tsx';
import styles from './billing.module.css';
import { ExportButtons } from '../../ui/export-buttons.tsx';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';

const linesPerPage = 50;

type InvoiceDrawerProps = { readonly store: string; readonly id: string; readonly close: () => void };

/** One invoice with its commissions and charges. */
export function InvoiceDrawer({ store, id, close }: InvoiceDrawerProps) {
  const path = apiPath('/stores/{store}/invoices/{invoice}', { store, invoice: id ?? noId });
  const found = useInfiniteQuery({
    ...apiPagedQuery({ path, limit: linesPerPage, next: (page) => page.next_cursor }),
  });
  const invoice = found.data?.pages[0];
  return (
    <Drawer title={invoice?.number ?? t.invoice_drawer.invoice} opened onClose={close}>
      <QueryView query={found} />
      {invoice !== undefined && (
        <>
          <div className={styles.files}>
            <ExportButtons path={path} name={invoice.number} subject={t.invoice_drawer.invoice_2} />
          </div>
          <InvoiceSummary invoice={invoice} />
          <DrawerSection title={t.invoice_drawer.charges}>
            <ChargeList charges={invoice.charges} total={invoice.total_cents} />
          </DrawerSection>
          <DrawerSection title={t.invoice_drawer.commissions}>
            <div className={styles.drawerTable}>
              <Table
                caption={t.invoice_drawer.commissions_on_the_invoice}
                columns={lineColumns(store)}
                rows={found.data?.pages.flatMap(({ lines }) => lines) ?? []}
                keyOf={({ commission_id: line }) => line}
              />
            </div>
            {found.hasNextPage && <ShowMore list={found} />}
          </DrawerSection>
          <RawJson value={invoice} />
        </>
      )}
    </Drawer>
  );
}

function InvoiceSummary({ invoice }: { readonly invoice: InvoiceDetails }) {
  const { fee_basis_points: fee, credit_cents: credit, credited_cents: credited, written_off_cents: writtenOff, paid_at: paid } = invoice;
  return (
    <DescriptionList
      items={[
        [t.invoice_drawer.state, <InvoiceStatusChip key="s" invoice={invoice} />],
        [t.invoice_drawer.issued, <Time key="i" at={invoice.issued_at} />],
        [t.invoice_drawer.commissions_2({ linesCount: invoice.lines_count }), formatUsd(invoice.lines_cents)],
        [t.invoice_drawer.platform_fee({ fee: formatPercent(fee) }), formatUsd(invoice.fee_cents)],
        ...(credit > 0 ? [[t.invoice_drawer.credit_used, `−${formatUsd(credit)}`] as const] : []),
        [t.invoice_drawer.total, <strong key="t">{formatUsd(invoice.total_cents)}</strong>],
        ...(credited > 0 ? [[t.invoice_drawer.credited_later, formatUsd(credited)] as const] : []),
        ...(writtenOff > 0 ? [[t.invoice_drawer.waived_below_minimum_charge, formatUsd(writtenOff)] as const] : []),
        [t.invoice_drawer.outstanding, formatUsd(invoice.due_cents)],
        ...(paid === null ? [] : [[t.invoice_drawer.paid, <Time key="p" at={paid} />] as const]),
        ...(invoice.next_charge_at === null ? [] : [[t.invoice_drawer.next_charge, <Time key="n" at={invoice.next_charge_at} />] as const]),
      ]}
    />
  );
}

function ChargeList({ charges, total }: { readonly charges: readonly Charge[]; readonly total: Cents }) {
  if (charges.length === 0) return <p>{total === 0 ? t.invoice_drawer.none_your_credit_covered_the : t.invoice_drawer.no_charges_yet}</p>;
  return (
    <ul className={styles.charges}>
      {charges.map(({ id, state, amount_cents: cents, is_backup: isBackup, message, made_at: at }) => (
        <li key={id}>
          <span className={styles.method}>
            <ChargeStatusChip state={state} />
            <strong className="number">{formatUsd(cents)}</strong>
            {isBackup && <span className={styles.muted}>{t.invoice_drawer.backup_payment_method}</span>}
          </span>
          {message !== null && <span>{message}</span>}
          <span className={styles.muted}>
            <Time at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const lineColumns = (store: string): ReadonlyArray<Column<InvoiceLine>> => [
  {
    title: t.invoice_drawer.order,
    cell: ({ commission_id: id, order_id: order, invoice_id: invoice, lead_id: lead, bonus_reason: bonus }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ open: id }}>
        {order ?? invoice ?? lead ?? (bonus === null ? id : localizeTimes(bonus))}
      </TextLink>
    ),
  },
  { title: t.invoice_drawer.creator, kind: 'name', cell: ({ creator_name: name }) => name },
  {
    title: 'USD',
    kind: 'number',
    cell: ({ amount_cents: cents, credit_note: note }) => (
      <>
        {formatDollars(cents)}
        {note !== null && <div className={styles.muted}>{t.invoice_drawer.credited({ note })}</div>}
      </>
    ),
  },
];

import { formatDollars } from '../../ui/amounts.ts';
import { DrawerSection } from '../../ui/drawer.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from '../billing/billing.module.css';
import type { CommissionStory } from './commissions-api.ts';
import { accountName } from '../billing/store-statement-api.ts';

type LedgerLine = CommissionStory['ledger'][number];

/** The commission's ledger lines, as on the statement. */
export function ConversionLedger({ lines }: { readonly lines: readonly LedgerLine[] }) {
  return (
    <DrawerSection title="In the books">
      {lines.length === 0 ? (
        <p>Nothing was booked: it earns nothing.</p>
      ) : (
        <div className={styles.inDrawer}>
          <Table
            caption="Lines of the ledger"
            columns={ledgerColumns}
            rows={lines}
            keyOf={({ at, what, debit, credit }) => [at, what, debit, credit].join(' ')}
          />
        </div>
      )}
    </DrawerSection>
  );
}

const ledgerColumns: ReadonlyArray<Column<LedgerLine>> = [
  { title: 'Booked', cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Debit', cell: ({ debit }) => accountName(debit) },
  { title: 'Credit', cell: ({ credit }) => accountName(credit) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => formatDollars(cents) },
];

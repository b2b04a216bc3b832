import { dollarsOf } from '../parts/amounts.ts';
import { DrawerPart } from '../parts/drawer.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './billing.module.css';
import type { Story } from './commissions-api.ts';
import { accountName } from './statement-api.ts';

type Line = Story['ledger'][number];

/** Its lines in the store's book: the same ones that the statement has, as far as they are of this commission. */
export function ConversionLedger({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <DrawerPart title="In the books">
      {lines.length === 0 ? (
        <p>Nothing was booked: it earns nothing.</p>
      ) : (
        <div className={styles.inDrawer}>
          <Table
            caption="Lines of the ledger"
            columns={columns}
            rows={lines}
            keyOf={({ at, what, debit, credit }) => [at, what, debit, credit].join(' ')}
          />
        </div>
      )}
    </DrawerPart>
  );
}

const columns: ReadonlyArray<Column<Line>> = [
  { title: 'Booked', cell: ({ at }) => <Time at={at} dateOnly /> },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Debit', cell: ({ debit }) => accountName(debit) },
  { title: 'Credit', cell: ({ credit }) => accountName(credit) },
  { title: 'USD', kind: 'number', cell: ({ amount_cents: cents }) => dollarsOf(cents) },
];

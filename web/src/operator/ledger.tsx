import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { saveCsv } from '../merchant/save-csv.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { useAction } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { countOf, StoreLink } from './named.tsx';
import { healthReading, ledgerReading, overviewReading, type Ledger, type Verified } from './operator-api.ts';
import styles from './operator.module.css';

/** The books of all: whether they balance, whether everything in them is true, and all of a month to take away. */
export function GeneralLedger() {
  return (
    <Page title="Ledger" intro="Every cent of every store and creator, in double entry. Nothing in it is ever changed.">
      <Verification />
      <TrialBalance book="stores" title="Stores’ book" />
      <TrialBalance book="creators" title="Creators’ book" />
      <Export />
    </Page>
  );
}

function Verification() {
  const client = useQueryClient();
  const overview = useQuery(overviewReading);
  const [found, setFound] = useState<Verified | null>(null);
  const action = useAction(async () => {
    setFound(await api.post<Verified>('/ledger/verify'));
    await client.invalidateQueries({ queryKey: overviewReading.queryKey });
  });
  const last = overview.data?.last_verification;
  return (
    <Section
      title="Verification"
      intro="Recomputes every balance from the rows that made it, and looks whether everything that must be true is. It takes a while."
      actions={
        <Button size="xs" loading={action.running} onClick={action.run}>
          Verify now
        </Button>
      }
    >
      {action.problem && <ProblemNote problem={action.problem} />}
      {found === null && last === null && <p style={{ margin: 0 }}>It was never verified.</p>}
      {found === null && last !== null && last !== undefined && (
        <p style={{ margin: 0 }}>
          {last.differences === 0 ? 'Everything was in order' : `There were ${countOf(last.differences, 'difference', 'differences')}`} on{' '}
          <Time at={last.at} />, asked for by {last.by_name}; {last.checked.toLocaleString('en-GB')} rows were looked at.
        </p>
      )}
      {found !== null && <Found found={found} />}
    </Section>
  );
}

/** More than this nobody reads; the first ones tell what kind of mistake it is. */
const shownMax = 50;

function Found({ found: { ok, checked, checks, differences } }: { readonly found: Verified }) {
  return (
    <div role="status">
      <p className={styles.sum}>
        {ok ? 'Everything is in order' : countOf(differences.length, 'difference', 'differences')}:{' '}
        {countOf(checks.length, 'check', 'checks')}, {checked.toLocaleString('en-GB')} rows.
      </p>
      {!ok && (
        <Table
          caption="What must not be"
          columns={foundColumns}
          rows={differences.slice(0, shownMax).map((difference, place) => ({ ...difference, place }))}
          keyOf={({ place }) => String(place)}
        />
      )}
      <details>
        <summary>What was checked</summary>
        <Table caption="Checks" columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    </div>
  );
}

const foundColumns: ReadonlyArray<Column<Verified['differences'][number] & { readonly place: number }>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Store', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'What differs', cell: ({ detail }) => <span className={styles.error}>{detail}</span> },
];
const checkColumns: ReadonlyArray<Column<Verified['checks'][number]>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Rows', kind: 'number', cell: ({ checked }) => checked.toLocaleString('en-GB') },
  { title: 'Differences', kind: 'number', cell: ({ differences }) => differences.toLocaleString('en-GB') },
];

type BalanceProps = { readonly book: 'stores' | 'creators'; readonly title: string };

function TrialBalance({ book, title }: BalanceProps) {
  const ledger = useQuery(ledgerReading);
  const accounts = (ledger.data?.accounts ?? []).filter((one) => one.book === book);
  return (
    <Section title={title} actions={ledger.isSuccess && <BalanceChip isBalanced={ledger.data.is_balanced} />} flush>
      {ledger.isPending && <Waiting />}
      {ledger.isError && <ProblemNote problem={ledger.error} onRetry={() => void ledger.refetch()} />}
      {ledger.isSuccess && accounts.length === 0 && <p className={styles.padded}>Nothing is in it yet.</p>}
      {accounts.length > 0 && (
        <Table
          caption={`Accounts of the ${title.toLowerCase()}`}
          columns={accountColumns}
          rows={[...accounts, sumOf(accounts)]}
          keyOf={({ account }) => account}
        />
      )}
    </Section>
  );
}

const BalanceChip = ({ isBalanced }: { readonly isBalanced: boolean }) =>
  isBalanced ? (
    <Chip word="Balanced" tone="good" meaning="In each book the debits equal the credits." />
  ) : (
    <Chip word="Not balanced" tone="bad" meaning="The debits and the credits of a book differ. Verify, and look at what it finds." />
  );

type Account = Ledger['accounts'][number];
const all = 'together';

function sumOf(accounts: readonly Account[]): Account {
  return {
    book: 'stores',
    account: all,
    debit_cents: accounts.reduce((sum, { debit_cents: cents }) => sum + cents, 0),
    credit_cents: accounts.reduce((sum, { credit_cents: cents }) => sum + cents, 0),
  };
}

const accountColumns: ReadonlyArray<Column<Account>> = [
  { title: 'Account', cell: ({ account }) => (account === all ? <strong>Together</strong> : account.replaceAll('_', ' ')) },
  { title: 'Debit, USD', kind: 'number', cell: ({ debit_cents: cents }) => dollarsOf(cents) },
  { title: 'Credit, USD', kind: 'number', cell: ({ credit_cents: cents }) => dollarsOf(cents) },
  { title: 'Balance, USD', kind: 'number', cell: ({ debit_cents: debit, credit_cents: credit }) => balanceOf(debit - credit) },
];

const balanceOf = (surplus: number): string =>
  surplus === 0 ? '0.00' : `${dollarsOf(Math.abs(surplus))} ${surplus > 0 ? 'debit' : 'credit'}`;

function Export() {
  const health = useQuery(healthReading);
  const month = health.data?.now.slice(0, 7);
  return (
    <Section title="A month as a file" intro="Every transfer of both books, as text/csv. Months are in UTC.">
      {month === undefined ? (
        <Waiting lines={1} />
      ) : (
        <Form
          send={(values) => saveCsv(`/ledger/export?period=${values.text('period')}`, `ledger-${values.text('period')}.csv`)}
          submit="Save as CSV"
        >
          <TextField name="period" label="Month" type="month" pattern="\d{4}-\d{2}" defaultValue={month} max={month} />
        </Form>
      )}
    </Section>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { saveCsv } from '../parts/save-file.ts';
import { dollarsOf, totalCents } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { useAction } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { refresh } from '../parts/reading.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { healthReading, ledgerReading, verificationsReading, type Ledger, type Verified } from './operator-api.ts';
import styles from './operator.module.css';
import { Found, PastVerifications } from './verifications.tsx';

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
  const past = useQuery(verificationsReading);
  const [found, setFound] = useState<Verified | null>(null);
  const action = useAction(async () => {
    setFound(await api.post<Verified>('/ledger/verify'));
    await refresh(client, '/overview', '/ledger/verifications');
  });
  return (
    <Section
      title="Verification"
      intro="Recomputes every balance from the rows that made it, and looks whether everything that must be true is. It runs each night at 05:00 UTC; what differs is mailed to the operators."
      actions={
        <Button size="xs" loading={action.running} onClick={action.run}>
          Verify now
        </Button>
      }
    >
      {action.problem && <ProblemNote problem={action.problem} />}
      {found !== null && <Found found={found} />}
      {past.isPending && <Waiting lines={2} />}
      {past.isError && <ProblemNote problem={past.error} onRetry={() => void past.refetch()} />}
      {past.isSuccess && <PastVerifications past={past.data.data} isLastShown={found !== null} />}
    </Section>
  );
}

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
    debit_cents: totalCents(accounts.map(({ debit_cents: cents }) => cents)),
    credit_cents: totalCents(accounts.map(({ credit_cents: cents }) => cents)),
  };
}

const accountColumns: ReadonlyArray<Column<Account>> = [
  { title: 'Account', cell: ({ account }) => (account === all ? <strong>Together</strong> : account.replaceAll('_', ' ')) },
  { title: 'Debit, USD', kind: 'number', cell: ({ debit_cents: cents }) => dollarsOf(cents) },
  { title: 'Credit, USD', kind: 'number', cell: ({ credit_cents: cents }) => dollarsOf(cents) },
  {
    title: 'Balance, USD',
    kind: 'number',
    cell: ({ debit_cents: debit, credit_cents: credit }) => <Balance surplus={BigInt(debit) - BigInt(credit)} />,
  },
];

/** The side stands in a column of its own, so that the figures stay below one another. */
const Balance = ({ surplus }: { readonly surplus: bigint }) => (
  <>
    {dollarsOf(surplus < 0n ? -surplus : surplus)}{' '}
    <span className={styles.side}>{surplus === 0n ? '' : surplus > 0n ? 'debit' : 'credit'}</span>
  </>
);

function Export() {
  const health = useQuery(healthReading);
  const month = health.data?.now.slice(0, 7);
  return (
    <Section title="A month as a file" intro="Every transfer of both books, as one CSV file. Months are in UTC.">
      {health.isPending && <Waiting lines={1} />}
      {health.isError && <ProblemNote problem={health.error} onRetry={() => void health.refetch()} />}
      {month !== undefined && (
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

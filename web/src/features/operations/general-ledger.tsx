import { Button } from '@mantine/core';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { GeneralLedger, VerificationResult, Verification } from '../../api/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { Chip } from '../../ui/chip.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { downloadCsv } from '../../ui/export-buttons.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { formatDollars, sumCents, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';
import { healthQuery, ledgerQuery, verificationsQuery } from './operator-api.ts';
import styles from './operator.module.css';

/** The general ledger: trial balances, verification, and the monthly export. */
export function GeneralLedger() {
  return (
    <Page title="Ledger" intro="Every cent of every store and creator, in double entry. Nothing in it is ever changed.">
      <VerificationSection />
      <TrialBalance book="stores" title="Stores’ book" />
      <TrialBalance book="creators" title="Creators’ book" />
      <MonthExport />
    </Page>
  );
}

function VerificationSection() {
  const client = useQueryClient();
  const past = useQuery(verificationsQuery);
  const [result, setResult] = useState<VerificationResult | null>(null);
  const action = useMutation({
    mutationFn: async () => {
      setResult(await api.post('/ledger/verify'));
      await refresh(client, '/overview', '/ledger/verifications');
    },
  });
  return (
    <Section
      title="Verification"
      intro="Recomputes every balance from the rows that made it, and looks whether everything that must be true is. It runs each night at 05:00 UTC; what differs is mailed to the operators."
      actions={
        <Button size="xs" loading={action.isPending} onClick={() => action.mutate()}>
          Verify now
        </Button>
      }
    >
      <ErrorAlert error={action.error} />
      {result !== null && <VerificationResultDetails found={result} />}
      <QueryView query={past} lines={2}>
        {(page) => <PastVerifications past={page.data} isLastShown={result !== null} />}
      </QueryView>
    </Section>
  );
}

type BalanceProps = { readonly book: 'stores' | 'creators'; readonly title: string };

function TrialBalance({ book, title }: BalanceProps) {
  const ledger = useQuery(ledgerQuery);
  const accounts = (ledger.data?.accounts ?? []).filter((one) => one.book === book);
  return (
    <Section title={title} actions={ledger.isSuccess && <BalanceChip isBalanced={ledger.data.is_balanced} />} flush>
      <QueryView query={ledger} />
      {ledger.isSuccess && accounts.length === 0 && <p className={styles.padded}>Nothing is in it yet.</p>}
      {accounts.length > 0 && (
        <Table
          caption={`Accounts of the ${title.toLowerCase()}`}
          columns={accountColumns}
          rows={[...accounts, totalsRow(accounts)]}
          keyOf={({ account }) => account}
        />
      )}
    </Section>
  );
}

const BalanceChip = ({ isBalanced }: { readonly isBalanced: boolean }) =>
  isBalanced ? (
    <Chip label="Balanced" tone="good" meaning="In each book the debits equal the credits." />
  ) : (
    <Chip label="Not balanced" tone="bad" meaning="The debits and the credits of a book differ. Verify, and look at what it finds." />
  );

type Account = GeneralLedger['accounts'][number];
const all = 'together';

function totalsRow(accounts: readonly Account[]): Account {
  return {
    book: 'stores',
    account: all,
    debit_cents: sumCents(accounts.map(({ debit_cents: cents }) => cents)),
    credit_cents: sumCents(accounts.map(({ credit_cents: cents }) => cents)),
  };
}

const accountColumns: ReadonlyArray<Column<Account>> = [
  { title: 'Account', cell: ({ account }) => (account === all ? <strong>Together</strong> : account.replaceAll('_', ' ')) },
  { title: 'Debit, USD', kind: 'number', cell: ({ debit_cents: cents }) => formatDollars(cents) },
  { title: 'Credit, USD', kind: 'number', cell: ({ credit_cents: cents }) => formatDollars(cents) },
  {
    title: 'Balance, USD',
    kind: 'number',
    cell: ({ debit_cents: debit, credit_cents: credit }) => <Balance surplus={BigInt(debit) - BigInt(credit)} />,
  },
];

/** The side has its own column, so that the amounts align. */
const Balance = ({ surplus }: { readonly surplus: bigint }) => (
  <>
    {formatDollars(surplus < 0n ? -surplus : surplus)}{' '}
    <span className={styles.aside}>{surplus === 0n ? '' : surplus > 0n ? 'debit' : 'credit'}</span>
  </>
);

function MonthExport() {
  const health = useQuery(healthQuery);
  const month = health.data?.now.slice(0, 7);
  return (
    <Section title="A month as a file" intro="Every transfer of both books, as one CSV file. Months are in UTC.">
      <QueryView query={health} lines={1} />
      {month !== undefined && (
        <Form
          send={(values) =>
            downloadCsv(apiPath('/ledger/export', {}, { period: values.text('period') }), `ledger-${values.text('period')}.csv`)
          }
          submit="Save as CSV"
        >
          <TextField name="period" label="Month" type="month" pattern="\d{4}-\d{2}" defaultValue={month} max={month} />
        </Form>
      )}
    </Section>
  );
}

/** The first rows show the kind of error. */
const shownMax = 50;

/** The result of a verification that was started on this page. */
function VerificationResultDetails({ found: { ok, checked, checks, differences } }: { readonly found: VerificationResult }) {
  return (
    <div role="status">
      <p className={styles.sum}>
        {ok ? 'Everything is in order' : formatCount(differences.length, 'difference', 'differences')}:{' '}
        {formatCount(checks.length, 'check', 'checks')}, {checked.toLocaleString('en-GB')} rows.
      </p>
      {!ok && <Differences differences={differences} />}
      <details>
        <summary>What was checked</summary>
        <Table caption="Checks" columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    </div>
  );
}

const Differences = ({ differences }: Pick<VerificationResult, 'differences'>) => (
  <>
    <p className={styles.muted}>
      Verify once more. If it stays, let every payout wait for a second person (<TextLink to="/operator/settings">Settings</TextLink>, the
      limit at 0), make a backup, and tell whoever maintains the code these lines. Do not change the rows.
    </p>
    <Table
      caption="What must not be"
      columns={differenceColumns}
      rows={differences.slice(0, shownMax).map((difference, index) => ({ ...difference, place: index }))}
      keyOf={({ place }) => String(place)}
    />
  </>
);

const differenceColumns: ReadonlyArray<Column<VerificationResult['differences'][number] & { readonly place: number }>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => (id === '' ? 'All stores' : <StoreLink id={id} />) },
  { title: 'What differs', cell: ({ detail }) => <span className={styles.error}>{detail}</span> },
];
const checkColumns: ReadonlyArray<Column<VerificationResult['checks'][number]>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Rows', kind: 'number', cell: ({ checked }) => checked.toLocaleString('en-GB') },
  { title: 'Differences', kind: 'number', cell: ({ differences }) => differences.toLocaleString('en-GB') },
];

type PastVerificationsProps = { readonly past: readonly Verification[]; readonly isLastShown: boolean };

/** The latest verifications, scheduled and manual: when, how long, and their results. */
function PastVerifications({ past, isLastShown }: PastVerificationsProps) {
  const last = past[0];
  if (last === undefined) return <p style={{ margin: 0 }}>It was never verified. Verify now, or wait for the night.</p>;
  return (
    <>
      {!isLastShown && (
        <>
          <p className={styles.sum}>
            {last.differences === 0 ? 'Everything was in order' : `There were ${differencesText(last)}`} on <Time at={last.at} />.
          </p>
          <StoredVerification verification={last} />
        </>
      )}
      <details className={styles.pastRuns}>
        <summary>The last {past.length === 1 ? 'one' : past.length}</summary>
        <Table caption="Verifications" columns={pastColumns} rows={past} keyOf={({ id }) => id} />
      </details>
    </>
  );
}

const StoredVerification = ({ verification: { checks, found } }: { readonly verification: Verification }) => (
  <>
    {found !== null && found.length > 0 && <Differences differences={found} />}
    {checks !== null && (
      <details>
        <summary>What was checked</summary>
        <Table caption="Checks of the last verification" columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    )}
  </>
);

const pastColumns: ReadonlyArray<Column<Verification>> = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  { title: 'By', cell: ({ by_name: name }) => name },
  { title: 'Result', cell: ({ differences }) => <VerificationChip differences={differences} /> },
  { title: 'Rows', kind: 'number', cell: ({ checked }) => checked.toLocaleString('en-GB') },
  { title: 'Took', kind: 'number', cell: ({ took_ms: ms }) => (ms === null ? 'not kept' : formatDuration(ms)) },
];

const differencesText = ({ differences }: Pick<Verification, 'differences'>): string =>
  formatCount(differences, 'difference', 'differences');

const VerificationChip = ({ differences }: Pick<Verification, 'differences'>) =>
  differences === 0 ? (
    <Chip label="In order" tone="good" meaning="Every balance is the sum of its rows, and everything held that must." />
  ) : (
    <Chip
      label={formatCount(differences, 'difference', 'differences')}
      tone="bad"
      meaning="Something was not as it must be; the operators had a mail."
    />
  );

const secondMs = 1_000;
const formatDuration = (ms: number): string =>
  ms < secondMs ? `${ms} ms` : `${(ms / secondMs).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`;

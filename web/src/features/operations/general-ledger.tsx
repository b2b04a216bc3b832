import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { GeneralLedger, VerificationResult, Verification } from '../../../../sdk/src/api-schema.ts';
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
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The general ledger: trial balances, verification, and the monthly export. */
export function GeneralLedger() {
  return (
    <Page title={t.general_ledger.ledger} intro={t.general_ledger.every_posting_for_stores_and}>
      <VerificationSection />
      <TrialBalance book="stores" title={t.general_ledger.store_ledger} />
      <TrialBalance book="creators" title={t.general_ledger.creator_ledger} />
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
      title={t.general_ledger.verification}
      intro={t.general_ledger.recomputes_every_balance_from_its}
      actions={
        <Button size="xs" loading={action.isPending} onClick={() => action.mutate()}>
          {t.general_ledger.verify_now}
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
      {ledger.isSuccess && accounts.length === 0 && <p className={styles.padded}>{t.general_ledger.no_postings_yet}</p>}
      {accounts.length > 0 && (
        <Table
          caption={t.general_ledger.accounts_of_the({ title: title.toLowerCase() })}
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
    <Chip label={t.general_ledger.balanced} tone="good" meaning={t.general_ledger.debits_equal_credits_in_both} />
  ) : (
    <Chip label={t.general_ledger.not_balanced} tone="bad" meaning={t.general_ledger.debits_and_credits_of} />
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
  {
    title: t.general_ledger.account,
    cell: ({ account }) =>
      account === all ? <strong>{t.general_ledger.total}</strong> : <span className="sentence">{account.replaceAll('_', ' ')}</span>,
  },
  { title: t.general_ledger.debit_usd, kind: 'number', cell: ({ debit_cents: cents }) => formatDollars(cents) },
  { title: t.general_ledger.credit_usd, kind: 'number', cell: ({ credit_cents: cents }) => formatDollars(cents) },
  {
    title: t.general_ledger.balance_usd,
    kind: 'number',
    cell: ({ debit_cents: debit, credit_cents: credit }) => <Balance surplus={BigInt(debit) - BigInt(credit)} />,
  },
];

/** The side has its own column, so that the amounts align. */
const Balance = ({ surplus }: { readonly surplus: bigint }) => (
  <>
    {formatDollars(surplus < 0n ? -surplus : surplus)}{' '}
    <span className={styles.aside}>{surplus === 0n ? '' : surplus > 0n ? t.general_ledger.debit : t.general_ledger.credit}</span>
  </>
);

function MonthExport() {
  const health = useQuery(healthQuery);
  const month = health.data?.now.slice(0, 7);
  return (
    <Section title={t.general_ledger.monthly_export} intro={t.general_ledger.all_transfers_of_both_ledgers}>
      <QueryView query={health} lines={1} />
      {month !== undefined && (
        <Form
          send={(values) =>
            downloadCsv(apiPath('/ledger/export', {}, { period: values.text('period') }), `ledger-${values.text('period')}.csv`)
          }
          submit={t.general_ledger.export_csv}
        >
          <TextField name="period" label={t.general_ledger.month} type="month" pattern="\d{4}-\d{2}" defaultValue={month} max={month} />
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
        {ok ? t.general_ledger.no_differences_found : formatCount(differences.length, 'difference', 'differences')}:{' '}
        {formatCount(checks.length, 'check', 'checks')}, {formats.number(checked)} {t.general_ledger.rows}
      </p>
      {!ok && <Differences differences={differences} />}
      <details>
        <summary>{t.general_ledger.all_checks}</summary>
        <Table caption={t.general_ledger.checks_2} columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    </div>
  );
}

const Differences = ({ differences }: Pick<VerificationResult, 'differences'>) => (
  <>
    <p className={styles.muted}>{rich(t.general_ledger.verify_again_if_the_difference, { link: <TextLink to="/operator/settings" /> })}</p>
    <Table
      caption={t.general_ledger.differences}
      columns={differenceColumns}
      rows={differences.slice(0, shownMax).map((difference, index) => ({ ...difference, place: index }))}
      keyOf={({ place }) => String(place)}
    />
  </>
);

const differenceColumns: ReadonlyArray<Column<VerificationResult['differences'][number] & { readonly place: number }>> = [
  { title: t.general_ledger.check, cell: ({ what }) => what },
  {
    title: t.general_ledger.store,
    kind: 'name',
    cell: ({ store_id: id }) => (id === '' ? t.general_ledger.all_stores : <StoreLink id={id} />),
  },
  { title: t.general_ledger.difference, cell: ({ detail }) => <span className={styles.error}>{detail}</span> },
];
const checkColumns: ReadonlyArray<Column<VerificationResult['checks'][number]>> = [
  { title: t.general_ledger.check, cell: ({ what }) => what },
  { title: t.general_ledger.rows_2, kind: 'number', cell: ({ checked }) => formats.number(checked) },
  { title: t.general_ledger.differences_2, kind: 'number', cell: ({ differences }) => formats.number(differences) },
];

type PastVerificationsProps = { readonly past: readonly Verification[]; readonly isLastShown: boolean };

/** The latest verifications, scheduled and manual: when, how long, and their results. */
function PastVerifications({ past, isLastShown }: PastVerificationsProps) {
  const last = past[0];
  if (last === undefined) return <p style={{ margin: 0 }}>{t.general_ledger.not_verified_yet_verify_now}</p>;
  return (
    <>
      {!isLastShown && (
        <>
          <p className={styles.sum}>
            {last.differences === 0 ? t.general_ledger.no_differences : t.general_ledger.found({ last: differencesText(last) })}{' '}
            {t.general_ledger.on} <Time at={last.at} />.
          </p>
          <StoredVerification verification={last} />
        </>
      )}
      <details className={styles.pastRuns}>
        <summary>{t.general_ledger.the_last({ count: past.length })}</summary>
        <Table caption={t.general_ledger.verifications} columns={pastColumns} rows={past} keyOf={({ id }) => id} />
      </details>
    </>
  );
}

const StoredVerification = ({ verification: { checks, found } }: { readonly verification: Verification }) => (
  <>
    {found !== null && found.length > 0 && <Differences differences={found} />}
    {checks !== null && (
      <details>
        <summary>{t.general_ledger.all_checks}</summary>
        <Table caption={t.general_ledger.checks_of_the_last_verification} columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    )}
  </>
);

const pastColumns: ReadonlyArray<Column<Verification>> = [
  { title: t.general_ledger.when, cell: ({ at }) => <Time at={at} /> },
  { title: t.general_ledger.by, cell: ({ by_name: name }) => name },
  { title: t.general_ledger.result, cell: ({ differences }) => <VerificationChip differences={differences} /> },
  { title: t.general_ledger.rows_2, kind: 'number', cell: ({ checked }) => formats.number(checked) },
  {
    title: t.general_ledger.duration,
    kind: 'number',
    cell: ({ took_ms: ms }) => (ms === null ? t.general_ledger.not_stored : formatDuration(ms)),
  },
];

const differencesText = ({ differences }: Pick<Verification, 'differences'>): string =>
  formatCount(differences, 'difference', 'differences');

const VerificationChip = ({ differences }: Pick<Verification, 'differences'>) =>
  differences === 0 ? (
    <Chip label={t.general_ledger.passed} tone="good" meaning={t.general_ledger.every_balance_equals_the_sum} />
  ) : (
    <Chip
      label={formatCount(differences, 'difference', 'differences')}
      tone="bad"
      meaning={t.general_ledger.a_check_failed_the_operators}
    />
  );

const secondMs = 1_000;
const formatDuration = (ms: number): string =>
  ms < secondMs ? t.general_ledger.ms({ ms }) : `${(ms / secondMs).toLocaleString('en', { maximumFractionDigits: 1 })} s`;

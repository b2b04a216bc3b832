import { Chip } from '../../ui/chip.tsx';
import { formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { StoreLink } from './entity-links.tsx';
import type { Verification, VerificationResult } from './operator-api.ts';
import styles from './operator.module.css';

/** Nobody reads more rows than this; the first ones show the kind of error. */
const shownMax = 50;

/** The result of a verification that was started on this page. */
export function VerificationResultDetails({ found: { ok, checked, checks, differences } }: { readonly found: VerificationResult }) {
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
    <p className={styles.quiet}>
      Verify once more. If it stays, let every payout wait for a second person (<TextLink to="/operator/settings">Settings</TextLink>, the
      limit at 0), make a backup, and tell whoever maintains the code these lines. Do not change the rows.
    </p>
    <Table
      caption="What must not be"
      columns={differenceColumns}
      rows={differences.slice(0, shownMax).map((difference, place) => ({ ...difference, place }))}
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
export function PastVerifications({ past, isLastShown }: PastVerificationsProps) {
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
      <details className={styles.past}>
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

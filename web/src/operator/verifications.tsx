import { Chip } from '../parts/chip.tsx';
import { countOf } from '../parts/count-of.ts';
import { TextLink } from '../parts/links.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { StoreLink } from './named.tsx';
import type { Verification, Verified } from './operator-api.ts';
import styles from './operator.module.css';

/** More than this nobody reads; the first ones tell what kind of mistake it is. */
const shownMax = 50;

/** What a verification told that somebody asked for just now. */
export function Found({ found: { ok, checked, checks, differences } }: { readonly found: Verified }) {
  return (
    <div role="status">
      <p className={styles.sum}>
        {ok ? 'Everything is in order' : countOf(differences.length, 'difference', 'differences')}:{' '}
        {countOf(checks.length, 'check', 'checks')}, {checked.toLocaleString('en-GB')} rows.
      </p>
      {!ok && <Differences differences={differences} />}
      <details>
        <summary>What was checked</summary>
        <Table caption="Checks" columns={checkColumns} rows={checks} keyOf={({ what }) => what} />
      </details>
    </div>
  );
}

const Differences = ({ differences }: Pick<Verified, 'differences'>) => (
  <>
    <p className={styles.quiet}>
      Verify once more. If it stays, let every payout wait for a second person (<TextLink to="/operator/settings">Settings</TextLink>, the
      limit at 0), make a backup, and tell whoever maintains the code these lines. Do not change the rows.
    </p>
    <Table
      caption="What must not be"
      columns={foundColumns}
      rows={differences.slice(0, shownMax).map((difference, place) => ({ ...difference, place }))}
      keyOf={({ place }) => String(place)}
    />
  </>
);

const foundColumns: ReadonlyArray<Column<Verified['differences'][number] & { readonly place: number }>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => (id === '' ? 'All stores' : <StoreLink id={id} />) },
  { title: 'What differs', cell: ({ detail }) => <span className={styles.error}>{detail}</span> },
];
const checkColumns: ReadonlyArray<Column<Verified['checks'][number]>> = [
  { title: 'Check', cell: ({ what }) => what },
  { title: 'Rows', kind: 'number', cell: ({ checked }) => checked.toLocaleString('en-GB') },
  { title: 'Differences', kind: 'number', cell: ({ differences }) => differences.toLocaleString('en-GB') },
];

type PastProps = { readonly past: readonly Verification[]; readonly isLastShown: boolean };

/** The last ones, by night or asked for: when, how long, and what they found. */
export function PastVerifications({ past, isLastShown }: PastProps) {
  const last = past[0];
  if (last === undefined) return <p style={{ margin: 0 }}>It was never verified. Verify now, or wait for the night.</p>;
  return (
    <>
      {!isLastShown && (
        <>
          <p className={styles.sum}>
            {last.differences === 0 ? 'Everything was in order' : `There were ${differencesWords(last)}`} on <Time at={last.at} />.
          </p>
          <Kept verification={last} />
        </>
      )}
      <details className={styles.past}>
        <summary>The last {past.length === 1 ? 'one' : past.length}</summary>
        <Table caption="Verifications" columns={pastColumns} rows={past} keyOf={({ id }) => id} />
      </details>
    </>
  );
}

const Kept = ({ verification: { checks, found } }: { readonly verification: Verification }) => (
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
  { title: 'Result', cell: ({ differences }) => <ResultChip differences={differences} /> },
  { title: 'Rows', kind: 'number', cell: ({ checked }) => checked.toLocaleString('en-GB') },
  { title: 'Took', kind: 'number', cell: ({ took_ms: ms }) => (ms === null ? 'not kept' : tookWords(ms)) },
];

const differencesWords = ({ differences }: Pick<Verification, 'differences'>): string => countOf(differences, 'difference', 'differences');

const ResultChip = ({ differences }: Pick<Verification, 'differences'>) =>
  differences === 0 ? (
    <Chip word="In order" tone="good" meaning="Every balance is the sum of its rows, and everything held that must." />
  ) : (
    <Chip
      word={countOf(differences, 'difference', 'differences')}
      tone="bad"
      meaning="Something was not as it must be; the operators had a mail."
    />
  );

const secondMs = 1_000;
const tookWords = (ms: number): string =>
  ms < secondMs ? `${ms} ms` : `${(ms / secondMs).toLocaleString('en-GB', { maximumFractionDigits: 1 })} s`;

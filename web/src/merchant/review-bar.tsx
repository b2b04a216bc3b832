import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dollarsOf, totalCents } from '../parts/amounts.ts';
import { reading } from '../parts/reading.ts';
import { totalsPath, type Commission, type Totals } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from './list-search.ts';
import { countWords, mayDecideAll, type ReviewWay } from './review-dialogs.tsx';

type ReviewBarProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly picked: readonly Commission[];
  readonly isAll: boolean;
  readonly decide: (way: ReviewWay) => void;
  readonly clear: () => void;
  readonly children: ReactNode;
};

const ways = [
  ['approve', 'Approve'],
  ['reject', 'Reject'],
  ['hold', 'Hold'],
  ['release', 'Release'],
  ['reopen', 'Reopen'],
] as const;

/** What is done with the rows that were ticked. It stands where the totals stand else, so that the list does not jump. */
export function ReviewBar({ store, filter, picked, isAll, decide, clear, children }: ReviewBarProps) {
  const totals = useQuery({ ...reading<Totals>(totalsPath(store, filter)), enabled: isAll });
  const sum = dollarsOf(totalCents(picked.map(({ amount_cents: cents }) => cents)));
  return (
    <div role="group" aria-label="Decide on what is selected" className={styles.bar}>
      <span role="status">
        {isAll ? (
          <>
            All that match: <strong>{totals.data === undefined ? '…' : countWords(totals.data)}</strong>
          </>
        ) : (
          <>
            <strong>{picked.length} selected</strong>, {sum} USD
          </>
        )}
      </span>
      {children}
      <span className={styles.ways}>
        {ways
          .filter(([way]) => !isAll || mayDecideAll(way, filter))
          .map(([way, label]) => (
            <Button key={way} variant={way === 'approve' ? 'filled' : 'default'} size="xs" onClick={() => decide(way)}>
              {label}
            </Button>
          ))}
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear selection
        </Button>
      </span>
    </div>
  );
}

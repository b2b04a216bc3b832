import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDollars, sumCents } from '../../ui/amounts.ts';
import { apiQuery } from '../../ui/queries.ts';
import { totalsPath, type Commission, type CommissionTotals } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { conversionCountText, canDecideAll, type ReviewActionName } from './review-dialog.tsx';

type ReviewBarProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly selectedRows: readonly Commission[];
  readonly isAll: boolean;
  readonly decide: (way: ReviewActionName) => void;
  readonly clear: () => void;
  readonly children: ReactNode;
};

const actions = [
  ['approve', 'Approve'],
  ['reject', 'Reject'],
  ['hold', 'Hold'],
  ['release', 'Release'],
  ['reopen', 'Reopen'],
] as const;

/** The actions on selected rows. It replaces the totals, so that the list does not move. */
export function ReviewBar({ store, filter, selectedRows, isAll, decide, clear, children }: ReviewBarProps) {
  const totals = useQuery({ ...apiQuery<CommissionTotals>(totalsPath(store, filter)), enabled: isAll });
  const sum = formatDollars(sumCents(selectedRows.map(({ amount_cents: cents }) => cents)));
  return (
    <div role="group" aria-label="Decide on what is selected" className={styles.bar}>
      <span role="status">
        {isAll ? (
          <>
            All that match: <strong>{totals.data === undefined ? '…' : conversionCountText(totals.data)}</strong>
          </>
        ) : (
          <>
            <strong>{selectedRows.length} selected</strong>, {sum} USD
          </>
        )}
      </span>
      {children}
      <span className={styles.ways}>
        {actions
          .filter(([way]) => !isAll || canDecideAll(way, filter))
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

import { useDay } from '../parts/day-input.tsx';
import { Pick } from '../parts/pick.tsx';
import type { OverviewSearch } from './list-search.ts';
import { usualDays } from './overview-api.ts';
import styles from './overview.module.css';

const presets = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'A year'],
] as const;

type OverviewRangeProps = {
  readonly search: OverviewSearch;
  /** What the service answered: the days that a preset means, by its own clock. */
  readonly shown: { readonly from: string; readonly to: string } | undefined;
  readonly narrow: (changed: OverviewSearch) => void;
};

/** Which days the figures are of. It stands in the address, so that a link shows the same. */
export function OverviewRange({ search, shown, narrow }: OverviewRangeProps) {
  const isFree = search.from !== undefined || search.to !== undefined;
  const preset = isFree ? '' : (search.last ?? usualDays);
  const own = (from: string | undefined, to: string | undefined) => narrow({ last: undefined, from, to });
  return (
    <div className={styles.range}>
      <Pick
        label="Range of days"
        names={presets.map(([, label]) => label)}
        picked={presets.find(([value]) => value === preset)?.[1] ?? ''}
        pick={(name) => {
          const last = presets.find(([, label]) => label === name)?.[0];
          narrow({ last: last === usualDays ? undefined : last, from: undefined, to: undefined });
        }}
      />
      <div className={styles.days}>
        <DayField label="From" value={search.from ?? shown?.from} most={shown?.to} change={(from) => own(from, search.to ?? shown?.to)} />
        <DayField label="To" value={search.to ?? shown?.to} least={shown?.from} change={(to) => own(search.from ?? shown?.from, to)} />
      </div>
    </div>
  );
}

type DayFieldProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  readonly change: (day: string) => void;
};

function DayField({ label, value = '', least, most, change }: DayFieldProps) {
  const day = useDay({ value, isNeeded: true, change });
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input aria-label={`${label}, a day in UTC`} min={least} max={most} {...day} />
    </label>
  );
}

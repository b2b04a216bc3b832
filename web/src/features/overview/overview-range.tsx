import { useDayInput } from '../../ui/filters.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import { defaultRange } from './overview-api.ts';
import styles from './overview.module.css';
import { t } from './messages.ts';

const presets = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'A year'],
] as const;

type OverviewRangeProps = {
  readonly search: OverviewSearch;
  /** The service's range: it resolves presets with its own clock. */
  readonly shown: { readonly from: string; readonly to: string } | undefined;
  readonly narrow: (changed: OverviewSearch) => void;
};

/** The date range of the totals. It is in the URL, so that a link shows the same range. */
export function OverviewRange({ search, shown, narrow }: OverviewRangeProps) {
  const isCustom = search.from !== undefined || search.to !== undefined;
  const preset = isCustom ? '' : (search.last ?? defaultRange);
  const setCustomRange = (from: string | undefined, to: string | undefined) => narrow({ last: undefined, from, to });
  return (
    <div className={styles.range}>
      <SegmentedControl
        label={t.overview_range.date_range}
        options={presets.map(([, label]) => label)}
        value={presets.find(([value]) => value === preset)?.[1] ?? ''}
        onChange={(name) => {
          const last = presets.find(([, label]) => label === name)?.[0];
          narrow({ last: last === defaultRange ? undefined : last, from: undefined, to: undefined });
        }}
      />
      <div className={styles.days}>
        <DayField
          label={t.overview_range.from}
          value={search.from ?? shown?.from}
          most={shown?.to}
          change={(from) => setCustomRange(from, search.to ?? shown?.to)}
        />
        <DayField
          label={t.overview_range.to}
          value={search.to ?? shown?.to}
          least={shown?.from}
          change={(to) => setCustomRange(search.from ?? shown?.from, to)}
        />
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
  const day = useDayInput({ value, isRequired: true, change });
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input aria-label={t.overview_range.in_utc({ label })} min={least} max={most} {...day} />
    </label>
  );
}

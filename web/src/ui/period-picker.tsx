import { useDayInput } from './filters.tsx';
import { t } from './messages.ts';
import styles from './period-picker.module.css';
import { defaultPeriod, periodPresets, type PeriodSearch } from './period.ts';
import { SegmentedControl } from './segmented-control.tsx';

const labels = {
  '7d': t.period_picker.days({ days: 7 }),
  '30d': t.period_picker.days({ days: 30 }),
  '90d': t.period_picker.days({ days: 90 }),
  mtd: t.period_picker.month_to_date,
  '365d': t.period_picker.twelve_months,
};
const options = periodPresets.map((preset) => labels[preset]);

type PeriodPickerProps = {
  readonly search: PeriodSearch;
  /** The service's range: it resolves presets with its own clock. */
  readonly shown: { readonly from: string; readonly to: string } | undefined;
  readonly onChange: (changed: PeriodSearch) => void;
};

/** The period of a page's metrics. It is in the URL, so that a link shows the same period. */
export function PeriodPicker({ search, shown, onChange }: PeriodPickerProps) {
  const isCustom = search.from !== undefined || search.to !== undefined;
  const chosen = periodPresets.find((preset) => !isCustom && preset === (search.last ?? defaultPeriod));
  const setDays = (from: string | undefined, to: string | undefined) => onChange({ last: undefined, from, to });
  const setPreset = (label: string) => {
    const last = periodPresets.find((preset) => labels[preset] === label);
    onChange({ last: last === defaultPeriod ? undefined : last, from: undefined, to: undefined });
  };
  const [from, to] = [search.from ?? shown?.from, search.to ?? shown?.to];
  return (
    <div className={styles.period}>
      <SegmentedControl
        label={t.period_picker.period}
        options={options}
        value={chosen === undefined ? '' : labels[chosen]}
        onChange={setPreset}
      />
      <div className={styles.days}>
        <DayField label={t.period_picker.from} value={from} most={shown?.to} change={(day) => setDays(day, to)} />
        <DayField label={t.period_picker.to} value={to} least={shown?.from} change={(day) => setDays(from, day)} />
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
      <input aria-label={t.period_picker.in_utc({ label })} min={least} max={most} {...day} />
    </label>
  );
}

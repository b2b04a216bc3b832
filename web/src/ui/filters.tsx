import { Button } from './button.tsx';
import { SelectInput, TextInput } from './inputs.tsx';
import { Children, Fragment, useState, type ReactNode, type ChangeEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import styles from './filters.module.css';
import { Icon } from './icons.tsx';
import { t } from './messages.ts';

/** The filters of a list. Each field changes the URL, so that a link shows the same list. */
export function Filters({ children, onClear }: { readonly children: ReactNode; readonly onClear: (() => void) | null }) {
  const fields = Children.toArray(children);
  // Remounts the fields when they are cleared, which discards text that was not applied yet.
  const [times, setTimes] = useState(0);
  return (
    <div role="search" className={styles.filters}>
      <Fragment key={`first ${times}`}>{fields.slice(0, -1)}</Fragment>
      {/* Kept together, so that the button never wraps to a line of its own. */}
      <div className={styles.last}>
        <Fragment key={times}>{fields.at(-1)}</Fragment>
        {onClear && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => {
              setTimes(times + 1);
              onClear();
            }}
          >
            {t.filters.clear_filters}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The start and end of a date range, kept side by side. */
export const DaysFilter = ({ children }: { readonly children: ReactNode }) => <div className={styles.days}>{children}</div>;

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly change: (value: string) => void;
};

/** The API accepts no shorter search. */
const searchLengthMin = 2;

/** Applies the text when the typing pauses, on Enter, and on blur. A single character is not applied. */
export function SearchFilter({ label, value, lengthMax, change }: TextProps) {
  const { typed, type, flush } = useDebouncedInput(value, change);
  return (
    <TextInput
      size="xs"
      type="search"
      label={label}
      value={typed}
      maxLength={lengthMax}
      onChange={({ currentTarget: { value: text } }) => type(text, text === '' || text.length >= searchLengthMin ? text : null)}
      onBlur={flush}
      onKeyDown={({ key }) => key === 'Enter' && flush()}
    />
  );
}

type SelectProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: ReadonlyArray<readonly [value: string, label: string]>;
  readonly change: (value: string | undefined) => void;
};

/** The first option clears the filter. */
export function SelectFilter({ label, value = '', options, change }: SelectProps) {
  const isKnown = value === '' || options.some(([one]) => one === value);
  const data = [['', t.filters.any] as const, ...options, ...(isKnown ? [] : [[value, value] as const])];
  return (
    <SelectInput
      size="xs"
      label={label}
      value={value}
      data={data.map(([one, text]) => ({ value: one, label: text }))}
      onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

type DayProps = {
  readonly label: string;
  /** A UTC time, as in the URL. */
  readonly value: string | undefined;
  /** An end day is inclusive, so its time is the start of the next day. */
  readonly isEnd?: boolean;
  readonly change: (value: string | undefined) => void;
};

/** A day in the viewer's time zone. */
export const DayFilter = ({ label, value, isEnd = false, change }: DayProps) => (
  <DayInput
    label={label}
    value={value === undefined ? '' : dayOf(value, isEnd)}
    isRequired={false}
    change={(day) => change(momentOf(day, isEnd))}
  />
);

function dayOf(moment: string, isLast: boolean): string {
  const at = new Date(Date.parse(moment) - (isLast ? 1 : 0));
  if (Number.isNaN(at.getTime())) return '';
  return [at.getFullYear().toString().padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-');
}
const two = (value: number): string => value.toString().padStart(2, '0');

function momentOf(day: string, isLast: boolean): string | undefined {
  if (day === '') return undefined;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (isLast ? 1 : 0)).toISOString();
}

/** An active filter without a field: shown as a button that removes it. */
export function ActiveFilter({ label, value, clear }: { readonly label: string; readonly value: string; readonly clear: () => void }) {
  return (
    <Button variant="default" size="xs" className={styles.activeFilter} rightSection={<Icon name="close" size={14} />} onClick={clear}>
      <span className="visually-hidden">{t.filters.remove_filter}</span>
      {label}: {value}
    </Button>
  );
}

type DateProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  /** The list always has a date range; the service provides the default. */
  readonly isNeeded?: boolean;
  readonly change: (value: string | undefined) => void;
};

/** A UTC day, as in the URL: totals counted by UTC days must not move into the viewer's time zone. */
export const DateFilter = ({ value = '', isNeeded = false, change, ...field }: DateProps) => (
  <DayInput {...field} value={value} isRequired={isNeeded} change={(day) => change(day === '' ? undefined : day)} />
);

/** Rejects a year that is still being typed; no data is older than the year 2000. */
const isCompleteDay = (day: string): boolean => /^[2-9]\d{3}-\d\d-\d\d$/.test(day);

type DayInputOptions = {
  /** `2026-03-14`, or empty. */
  readonly value: string;
  /** For lists that always have a date range: an emptied field requests nothing and shows its day again on blur. */
  readonly isRequired: boolean;
  readonly change: (day: string) => void;
};

/** A day, typed or picked. It is applied when the typing pauses, so that a partial value is never used. */
export function useDayInput({ value, isRequired, change }: DayInputOptions) {
  const { typed, type, flush } = useDebouncedInput(value, change);
  return {
    type: 'date',
    value: typed,
    onChange: ({ currentTarget: { value: day } }: ChangeEvent<HTMLInputElement>) =>
      type(day, isCompleteDay(day) || (day === '' && !isRequired) ? day : null),
    onBlur: flush,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && flush(),
  } as const;
}

type DayInputProps = DayInputOptions & { readonly label: string; readonly least?: string | undefined; readonly most?: string | undefined };

const DayInput = ({ label, least, most, ...day }: DayInputProps) => (
  <TextInput size="xs" label={label} min={least} max={most} {...useDayInput(day)} />
);

const debounceMs = 350;

type DebouncedInput = {
  /** The text shown in the field. */
  readonly typed: string;
  /** Shows the typed text and applies `value` when the typing pauses. Null: the text is incomplete and is not applied. */
  readonly type: (text: string, wanted: string | null) => void;
  /** Applies the pending value immediately; incomplete text is replaced by the last applied value. */
  readonly flush: () => void;
};

/**
 * A field whose value is kept in the URL, which changes shortly after the typing. The typed text stays until the URL changes for
 * another reason, such as the back button or a link.
 */
function useDebouncedInput(value: string, change: (text: string) => void): DebouncedInput {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const [applied, setApplied] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<string | null>(null);
  // Other fields may change the URL during the pause: the change must start from the current one.
  const latestChange = useRef(change);
  useEffect(() => {
    latestChange.current = change;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  if (known !== value) {
    setKnown(value);
    if (value !== applied) {
      setApplied(value);
      setTyped(value);
    }
  }
  const applyNow = () => {
    clearTimeout(timer.current);
    if (pending.current === null) return;
    setApplied(pending.current);
    latestChange.current(pending.current);
    pending.current = null;
  };
  const type = (text: string, wanted: string | null) => {
    setTyped(text);
    pending.current = wanted;
    clearTimeout(timer.current);
    if (wanted !== null) timer.current = setTimeout(applyNow, debounceMs);
  };
  const end = () => {
    if (pending.current === null) setTyped(applied);
    else applyNow();
  };
  return { typed, type, flush: end };
}

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Children, Fragment, useState, type ReactNode } from 'react';
import { DayInput } from './day-input.tsx';
import styles from './filters.module.css';
import { Icon } from './icons.tsx';
import { useDebouncedInput } from './debounced-input.ts';

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
            Clear
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

/** Applies the text when the typing pauses, on Enter, and on blur. */
export function SearchFilter({ label, value, lengthMax, change }: TextProps) {
  const { typed, type, flush } = useDebouncedInput(value, change);
  return (
    <TextInput
      size="xs"
      type="search"
      label={label}
      value={typed}
      maxLength={lengthMax}
      onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.value)}
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
  const data = [['', 'Any'] as const, ...options, ...(isKnown ? [] : [[value, value] as const])];
  return (
    <NativeSelect
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
const two = (figure: number): string => figure.toString().padStart(2, '0');

function momentOf(day: string, isLast: boolean): string | undefined {
  if (day === '') return undefined;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return new Date(year, month - 1, date + (isLast ? 1 : 0)).toISOString();
}

/** An active filter without a field: shown as a button that removes it. */
export function ActiveFilter({ label, value, clear }: { readonly label: string; readonly value: string; readonly clear: () => void }) {
  return (
    <Button variant="default" size="xs" className={styles.picked} rightSection={<Icon name="close" size={14} />} onClick={clear}>
      <span className={styles.aloud}>Do not narrow to </span>
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

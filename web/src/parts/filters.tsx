import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Children, Fragment, useState, type ReactNode } from 'react';
import { DayInput } from './day-input.tsx';
import styles from './filters.module.css';
import { Icon } from './icons.tsx';
import { useTyping } from './typing.ts';

/** The narrowing of a list. Each field changes the address by itself: a link shows what one sees. */
export function Filters({ children, onClear }: { readonly children: ReactNode; readonly onClear: (() => void) | null }) {
  const fields = Children.toArray(children);
  // Cleared, the fields begin anew: what is typed in one and not asked yet goes with the rest.
  const [times, setTimes] = useState(0);
  return (
    <div role="search" className={styles.filters}>
      <Fragment key={`first ${times}`}>{fields.slice(0, -1)}</Fragment>
      {/* Together, so that the button never stands in a line of its own. */}
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

/** The two ends of a range of days, which stay beside one another. */
export const DaysFilter = ({ children }: { readonly children: ReactNode }) => <div className={styles.days}>{children}</div>;

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly change: (value: string) => void;
};

/** Asks once the typing pauses, at Enter, or when the field is left. */
export function SearchFilter({ label, value, lengthMax, change }: TextProps) {
  const { typed, type, end } = useTyping(value, change);
  return (
    <TextInput
      size="xs"
      type="search"
      label={label}
      value={typed}
      maxLength={lengthMax}
      onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.value)}
      onBlur={end}
      onKeyDown={({ key }) => key === 'Enter' && end()}
    />
  );
}

type SelectProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: ReadonlyArray<readonly [value: string, label: string]>;
  readonly change: (value: string | undefined) => void;
};

/** The first choice asks for nothing. */
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
  /** A moment in UTC, as it stands in the address. */
  readonly value: string | undefined;
  /** The last day is meant whole, so that its moment is the beginning of the next one. */
  readonly isLast?: boolean;
  readonly change: (value: string | undefined) => void;
};

/** A day of the viewer’s own zone. */
export const DayFilter = ({ label, value, isLast = false, change }: DayProps) => (
  <DayInput
    label={label}
    value={value === undefined ? '' : dayOf(value, isLast)}
    isNeeded={false}
    change={(day) => change(momentOf(day, isLast))}
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

/** Something the list is narrowed to that has no field of its own: told, and taken away again by a press. */
export function PickedFilter({ label, value, clear }: { readonly label: string; readonly value: string; readonly clear: () => void }) {
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
  /** The list has days always: those that nobody chose are told by the service. */
  readonly isNeeded?: boolean;
  readonly change: (value: string | undefined) => void;
};

/** A day as it stands in the address, of UTC: what is counted by such days must not be moved into the viewer’s zone. */
export const DateFilter = ({ value = '', isNeeded = false, change, ...field }: DateProps) => (
  <DayInput {...field} value={value} isNeeded={isNeeded} change={(day) => change(day === '' ? undefined : day)} />
);

import { Button, NativeSelect, TextInput } from '@mantine/core';
import { Children, useEffect, useRef, useState, type ReactNode } from 'react';
import styles from './filters.module.css';
import { Icon } from './icons.tsx';

/** The narrowing of a list. Each field changes the address at once: a link shows what one sees. */
export function Filters({ children, onClear }: { readonly children: ReactNode; readonly onClear: (() => void) | null }) {
  const fields = Children.toArray(children);
  return (
    <div role="search" className={styles.filters}>
      {fields.slice(0, -1)}
      {/* Together, so that the button never stands in a line of its own. */}
      <div className={styles.last}>
        {fields.at(-1)}
        {onClear && (
          <Button variant="subtle" size="xs" onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
    </div>
  );
}

/** The two ends of a range of days, which stay beside one another. */
export const DaysFilter = ({ children }: { readonly children: ReactNode }) => <div className={styles.days}>{children}</div>;

const typingMs = 350;

type TextProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly change: (value: string) => void;
};

/** Asks once the typing pauses, or at Enter. */
export function SearchFilter({ label, placeholder, value, lengthMax, change }: TextProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address changed otherwise: by the way back, or because the filter was cleared.
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (text: string, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change(text), afterMs);
  };
  return (
    <TextInput
      size="xs"
      type="search"
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={lengthMax}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        ask(currentTarget.value, typingMs);
      }}
      onKeyDown={({ key }) => key === 'Enter' && ask(typed, 0)}
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

/** A day of the viewer's own zone. */
export function DayFilter({ label, value, isLast = false, change }: DayProps) {
  return (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={value === undefined ? '' : dayOf(value, isLast)}
      onChange={({ currentTarget }) => change(momentOf(currentTarget.value, isLast))}
    />
  );
}

function dayOf(moment: string, isLast: boolean): string {
  const at = new Date(Date.parse(moment) - (isLast ? 1 : 0));
  if (Number.isNaN(at.getTime())) return '';
  return [at.getFullYear().toString().padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-');
}
const two = (figure: number): string => figure.toString().padStart(2, '0');

function momentOf(day: string, isLast: boolean): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + (isLast ? 1 : 0));
  // A year that is still being typed has one figure; nothing happened then.
  return year < 1_000 || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
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

/** A day as it stands in the address, of UTC: what is counted by such days has no other. */
export const DateFilter = ({ label, value, change }: Pick<DayProps, 'label' | 'value' | 'change'>) => (
  <TextInput
    size="xs"
    type="date"
    label={label}
    value={value ?? ''}
    // A year that is still being typed has one figure.
    onChange={({ currentTarget }) => /^[2-9]\d{3}-\d\d-\d\d$/.test(currentTarget.value) && change(currentTarget.value)}
  />
);

import { TextInput } from '@mantine/core';
import type { ChangeEvent, KeyboardEvent } from 'react';
import { useDebouncedInput } from './debounced-input.ts';

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

export const DayInput = ({ label, least, most, ...day }: DayInputProps) => (
  <TextInput size="xs" label={label} min={least} max={most} {...useDayInput(day)} />
);

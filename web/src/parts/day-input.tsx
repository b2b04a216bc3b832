import { TextInput } from '@mantine/core';
import type { ChangeEvent, KeyboardEvent } from 'react';
import { useTyping } from './typing.ts';

/** A year that is still being typed has one figure, and is no day yet; nor did anything here happen before the year 2000. */
const isWhole = (day: string): boolean => /^[2-9]\d{3}-\d\d-\d\d$/.test(day);

type UseDay = {
  /** `2026-03-14`, or nothing. */
  readonly value: string;
  /** Some lists have days always: an emptied field asks for nothing then, and has its day again once it is left. */
  readonly isNeeded: boolean;
  readonly change: (day: string) => void;
};

/** A day, typed figure by figure or picked. It is asked for when the typing pauses, so that no figure is taken for the whole of it. */
export function useDay({ value, isNeeded, change }: UseDay) {
  const { typed, type, end } = useTyping(value, change);
  return {
    type: 'date',
    value: typed,
    onChange: ({ currentTarget: { value: day } }: ChangeEvent<HTMLInputElement>) =>
      type(day, isWhole(day) || (day === '' && !isNeeded) ? day : null),
    onBlur: end,
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Enter' && end(),
  } as const;
}

type DayInputProps = UseDay & { readonly label: string; readonly least?: string | undefined; readonly most?: string | undefined };

export const DayInput = ({ label, least, most, ...day }: DayInputProps) => (
  <TextInput size="xs" label={label} min={least} max={most} {...useDay(day)} />
);

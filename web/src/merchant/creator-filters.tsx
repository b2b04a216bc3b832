import { TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { DaysFilter, Filters, PickedFilter, SearchFilter, SelectFilter } from '../parts/filters.tsx';
import type { CreatorOfStore } from './creators-api.ts';
import type { CreatorFilter } from './list-search.ts';
import { programList } from './programs-api.ts';

const statuses = [
  ['applied', 'Applied'],
  ['approved', 'Approved'],
  ['paused', 'Paused'],
  ['removed', 'Removed'],
] as const;
const searchedMax = 100;

export type NarrowCreators = (changed: Partial<Record<keyof CreatorFilter, string | undefined>>) => void;
type CreatorFiltersProps = {
  readonly store: string;
  readonly filter: CreatorFilter;
  readonly rows: readonly CreatorOfStore[];
  readonly narrow: NarrowCreators;
  readonly clear: () => void;
};

export function CreatorFilters({ store, filter, rows, narrow, clear }: CreatorFiltersProps) {
  const programs = useInfiniteQuery(programList(store));
  const named = programs.data?.pages.flatMap(({ data }) => data).map(({ id, name }) => [id, name] as const) ?? [];
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Name begins with"
        value={filter.q ?? ''}
        lengthMax={searchedMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.status} options={statuses} change={(status) => narrow({ status })} />
      <SelectFilter label="Program" value={filter.program_id} options={named} change={(program) => narrow({ program_id: program })} />
      <DaysFilter>
        <UtcDay label="Figures from" value={filter.from} most={filter.to} change={(from) => narrow({ from })} />
        <UtcDay label="Figures to" value={filter.to} least={filter.from} change={(to) => narrow({ to })} />
      </DaysFilter>
      {creator !== undefined && <PickedFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
    </Filters>
  );
}

type UtcDayProps = {
  readonly label: string;
  readonly value: string | undefined;
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  readonly change: (day: string | undefined) => void;
};

/** A year that is still being typed has one figure, and is no day yet. */
const isWhole = (day: string): boolean => /^[2-9]\d{3}-\d\d-\d\d$/.test(day);

/** Figures are kept by days of UTC, which must not be moved into the viewer's zone. */
function UtcDay({ label, value, least, most, change }: UtcDayProps) {
  return (
    <TextInput
      key={value}
      size="xs"
      type="date"
      label={`${label}, UTC`}
      defaultValue={value}
      min={least}
      max={most}
      onChange={({ currentTarget: { value: typed } }) => (typed === '' || isWhole(typed)) && change(typed === '' ? undefined : typed)}
    />
  );
}

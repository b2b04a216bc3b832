import { useInfiniteQuery } from '@tanstack/react-query';
import { DateFilter, DaysFilter, Filters, ActiveFilter, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import type { StoreCreator } from './creators-api.ts';
import type { CreatorFilter } from '../stores/store-search-params.ts';
import { programsQuery } from '../programs/programs-api.ts';

const statuses = [
  ['applied', 'Applied'],
  ['approved', 'Approved'],
  ['paused', 'Paused'],
  ['removed', 'Removed'],
] as const;
const searchLengthMax = 100;

export type FilterCreators = (changed: Partial<Record<keyof CreatorFilter, string | undefined>>) => void;
type CreatorFiltersProps = {
  readonly store: string;
  readonly filter: CreatorFilter;
  readonly rows: readonly StoreCreator[];
  readonly narrow: FilterCreators;
  readonly clear: () => void;
};

export function CreatorFilters({ store, filter, rows, narrow, clear }: CreatorFiltersProps) {
  const programs = useInfiniteQuery(programsQuery(store));
  const named = programs.data?.pages.flatMap(({ data }) => data).map(({ id, name }) => [id, name] as const) ?? [];
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Name begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.status} options={statuses} change={(status) => narrow({ status })} />
      <SelectFilter label="Program" value={filter.program_id} options={named} change={(program) => narrow({ program_id: program })} />
      <DaysFilter>
        <DateFilter label="Figures from, UTC" value={filter.from} most={filter.to} change={(from) => narrow({ from })} />
        <DateFilter label="Figures to, UTC" value={filter.to} least={filter.from} change={(to) => narrow({ to })} />
      </DaysFilter>
      {creator !== undefined && <ActiveFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
    </Filters>
  );
}

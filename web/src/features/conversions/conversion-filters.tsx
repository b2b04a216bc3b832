import { DayFilter, DaysFilter, Filters, ActiveFilter, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import type { Commission } from './commissions-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';

const stateOptions = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['billed', 'Billed'],
  ['collected', 'Collected'],
  ['paid', 'Paid'],
  ['rejected', 'Rejected'],
  ['reversed', 'Reversed'],
] as const;
const holdOptions = [
  ['false', 'Not held'],
  ['true', 'Held'],
  ['dispute', 'Held: dispute'],
  ['fraud_review', 'Held: review'],
  ['early_reversal', 'Held: early refund'],
  ['creator_suspended', 'Held: creator suspended'],
  ['merchant_request', 'Held: own reason'],
] as const;
const autoApprovalOptions = [
  ['2', 'Within two days'],
  ['7', 'Within a week'],
  ['90', 'At any time'],
] as const;
const searchLengthMax = 200;

type ConversionFiltersProps = {
  readonly filter: ConversionFilter;
  readonly rows: readonly Commission[];
  readonly narrow: (changed: Partial<Record<keyof ConversionFilter, string | undefined>>) => void;
  readonly clear: () => void;
};

export function ConversionFilters({ filter, rows, narrow, clear }: ConversionFiltersProps) {
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Order or invoice begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.state} options={stateOptions} change={(state) => narrow({ state })} />
      <SelectFilter label="Hold" value={filter.held} options={holdOptions} change={(held) => narrow({ held })} />
      <SelectFilter
        label="Approves itself"
        value={filter.approves_itself_within_days}
        options={autoApprovalOptions}
        change={(days) => narrow({ approves_itself_within_days: days })}
      />
      <DaysFilter>
        <DayFilter label="From" value={filter.from} change={(from) => narrow({ from })} />
        <DayFilter label="To" value={filter.to} isEnd change={(to) => narrow({ to })} />
      </DaysFilter>
      {creator !== undefined && <ActiveFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
      {filter.order_id !== undefined && (
        <ActiveFilter label="Order" value={filter.order_id} clear={() => narrow({ order_id: undefined })} />
      )}
    </Filters>
  );
}

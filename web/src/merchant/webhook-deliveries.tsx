import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../api.ts';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Opener } from '../parts/row-buttons.tsx';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryChip } from './webhook-chips.tsx';
import { deliveryList, type Delivery, type WebhookEndpoint } from './webhooks-api.ts';
import styles from './webhooks.module.css';

const perPage = 25;
const states = [
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Not delivered'],
] as const;

type DeliveriesProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly show: (id: string) => void };

/** What one endpoint was told, the latest first. While something is about to be sent, the list looks again by itself. */
export function Deliveries({ store, endpoint, show }: DeliveriesProps) {
  const { state, cursor, back } = useSearch({ from: '/inside/stores/$store/webhooks/$endpoint' });
  const navigate = useNavigate({ from: '/stores/$store/webhooks/$endpoint' });
  const page = useQuery({
    ...reading<Page<Delivery>>(deliveryList(store, endpoint.id, { state, cursor, limit: perPage })),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.data.some(isDueSoon) ? lookAgainMs : false),
  });
  const deliveries = page.data?.data ?? [];
  return (
    <Section title="Deliveries" intro="What it was told, and what came of it. Each is kept for thirty days." flush>
      {(deliveries.length > 0 || state !== undefined || cursor !== undefined) && (
        <Filters onClear={state === undefined ? null : () => void navigate({ search: {}, resetScroll: false })}>
          <SelectFilter
            label="State"
            value={state}
            options={states}
            change={(asked) => void navigate({ search: { state: asked }, resetScroll: false })}
          />
        </Filters>
      )}
      {page.isPending && <Waiting />}
      {page.isError && (
        <div className={styles.padded}>
          <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {page.isSuccess && deliveries.length === 0 && (
        <Empty title={state === undefined ? 'It was told nothing yet' : 'There is none'}>
          {state === undefined
            ? 'Send a test event to see whether your program takes it. It means nothing, and is signed like any other.'
            : 'No delivery of the last thirty days is in this state.'}
        </Empty>
      )}
      {deliveries.length > 0 && <Table caption="Deliveries" columns={columnsOf(show)} rows={deliveries} keyOf={({ id }) => id} />}
      {page.isSuccess && (
        <Pager
          position={{ cursor, back }}
          next={page.data.next_cursor}
          go={(place) => void navigate({ search: { ...(state !== undefined && { state }), ...place }, resetScroll: false })}
        />
      )}
    </Section>
  );
}

const lookAgainMs = 2_000;
/**
 * The first pause between two attempts is five seconds, and while one is under way its next is told for a minute later; what waits
 * longer than that is not waited for here.
 */
const soonMs = 75_000;

export const isDueSoon = ({ state, next_try_at: next }: Delivery): boolean =>
  state === 'waiting' && (next === null || Date.parse(next) - Date.now() < soonMs);

const columnsOf = (show: (id: string) => void): ReadonlyArray<Column<Delivery>> => [
  { title: 'Event', cell: ({ id, type }) => <Opener open={() => show(id)}>{type}</Opener> },
  { title: 'Happened', cell: ({ at }) => <Time at={at} /> },
  { title: 'State', cell: (delivery) => <DeliveryChip delivery={delivery} /> },
  {
    title: 'Last answer',
    cell: ({ last_status: status, last_fault: fault }) => <span className={styles.fault}>{status ?? fault ?? '–'}</span>,
  },
  { title: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
];

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page } from '../../api/client.ts';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryStatusChip } from './webhook-status-chips.tsx';
import { deliveriesListPath, type Delivery, type WebhookEndpoint } from './webhooks-api.ts';
import styles from './webhooks.module.css';

const deliveriesPerPage = 25;
const states = [
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Not delivered'],
] as const;

type DeliveriesProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly show: (id: string) => void };

/** The deliveries of one endpoint, latest first. The list refreshes while a delivery is due soon. */
export function WebhookDeliveries({ store, endpoint, show }: DeliveriesProps) {
  const { state, cursor, back } = useSearch({ from: '/signed-in/stores/$store/webhooks/$endpoint' });
  const navigate = useNavigate({ from: '/stores/$store/webhooks/$endpoint' });
  const page = useQuery({
    ...apiQuery<Page<Delivery>>(deliveriesListPath(store, endpoint.id, { state, cursor, limit: deliveriesPerPage })),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (query.state.data?.data.some(isDueSoon) ? refreshMs : false),
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
      {page.isPending && <LoadingSkeleton />}
      {page.isError && (
        <div className={styles.padded}>
          <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {page.isSuccess && deliveries.length === 0 && (
        <EmptyState title={state === undefined ? 'It was told nothing yet' : 'There is none'}>
          {state === undefined
            ? 'Send a test event to see whether your program takes it. It means nothing, and is signed like any other.'
            : 'No delivery of the last thirty days is in this state.'}
        </EmptyState>
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

const refreshMs = 2_000;
/**
 * The first pause between two attempts is five seconds, and a running attempt reports its next one a minute later. Deliveries that wait
 * longer are not polled.
 */
const soonMs = 75_000;

export const isDueSoon = ({ state, next_try_at: next }: Delivery): boolean =>
  state === 'waiting' && (next === null || Date.parse(next) - Date.now() < soonMs);

const columnsOf = (show: (id: string) => void): ReadonlyArray<Column<Delivery>> => [
  { title: 'Event', cell: ({ id, type }) => <OpenButton open={() => show(id)}>{type}</OpenButton> },
  { title: 'Happened', cell: ({ at }) => <Time at={at} /> },
  { title: 'State', cell: (delivery) => <DeliveryStatusChip delivery={delivery} /> },
  {
    title: 'Last answer',
    cell: ({ last_status: status, last_fault: fault }) => <span className={styles.fault}>{status ?? fault ?? '–'}</span>,
  },
  { title: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
];

import { Button } from '../../ui/button.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import type { StripeEvent } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { refresh } from '../../ui/queries.ts';
import type { Column } from '../../ui/table.tsx';
import { formatTime, Time } from '../../ui/time.tsx';
import type { StripeSearch } from '../stores/store-search-params.ts';
import { stripeEventsPath, stripePath } from './stripe-api.ts';
import styles from '../../ui/connection.module.css';
import { t } from './messages.ts';

const eventsPerPage = 25;
const refreshMs = 5_000;
const states = [
  ['done', t.stripe_events.done],
  ['waiting', t.stripe_events.waiting],
  ['failed', t.stripe_events.failed],
  ['ignored', t.stripe_events.ignored],
] as const;

type EventsProps = { readonly store: string; readonly mayChange: boolean };

/** The events of the store's Stripe account, latest first. */
export function StripeEvents({ store, mayChange }: EventsProps) {
  const search = useSearch({ from: '/signed-in/stores/$store/integration/stripe' });
  const navigate = useNavigate({ from: '/stores/$store/integration/stripe' });
  const list = useList<'/stores/{store}/stripe/events', Pick<StripeSearch, 'state'>>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: stripeEventsPath(store),
    fields: [{ type: 'select', name: 'state', label: t.stripe_events.state, options: states }],
    rowsPerPage: eventsPerPage,
    refetchInterval: () => refreshMs,
  });
  return (
    <Section title={t.stripe_events.events} intro={t.stripe_events.events_intro} flush>
      <ListView
        list={list}
        caption={t.stripe_events.events}
        columns={columnsOf(store, mayChange)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={list.isFiltered ? t.stripe_events.no_matches : t.stripe_events.no_events}>
            {list.isFiltered ? t.stripe_events.no_matches_hint : t.stripe_events.no_events_hint}
          </EmptyState>
        }
      />
    </Section>
  );
}

const columnsOf = (store: string, mayChange: boolean): ReadonlyArray<Column<StripeEvent>> => [
  {
    title: t.stripe_events.event,
    priority: true,
    cell: ({ type, object_id: object }) => (
      <>
        {type}
        <div className={styles.muted}>{object}</div>
      </>
    ),
  },
  { title: t.stripe_events.occurred, priority: true, cell: ({ created_at: at }) => <Time at={at} /> },
  { title: t.stripe_events.state, priority: true, cell: (event) => <StatusChip texts={stateTexts(event)} state={event.state} /> },
  {
    title: t.stripe_events.result,
    priority: true,
    cell: (event) => (
      <div className={styles.result}>
        {event.message}
        {event.can_retry && mayChange && <RetryButton store={store} id={event.id} />}
      </div>
    ),
  },
];

const stateTexts = ({ next_try_at: next }: StripeEvent): StatusTexts<StripeEvent['state']> => ({
  done: [t.stripe_events.done, 'good', t.stripe_events.done_meaning],
  ignored: [t.stripe_events.ignored, 'neutral', t.stripe_events.ignored_meaning],
  failed: [t.stripe_events.failed, 'bad', t.stripe_events.failed_meaning],
  waiting: [t.stripe_events.waiting, 'wait', t.stripe_events.waiting_meaning({ time: next === null ? '' : formatTime(next) })],
});

function RetryButton({ store, id }: { readonly store: string; readonly id: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: async () => {
      await api.post(apiPath('/stores/{store}/stripe/events/{event}/retry', { store, event: id }), {}, newIdempotencyKey());
      await refresh(client, stripePath(store));
    },
  });
  return (
    <>
      <ErrorAlert error={retry.error} />
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
        {t.stripe_events.process_again}
      </Button>
    </>
  );
}

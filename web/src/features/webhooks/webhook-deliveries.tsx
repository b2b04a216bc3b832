import { Button } from '../../ui/button.tsx';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { WebhookDelivery, WebhookEndpoint, WebhookAttempt, WebhookDeliveryDetails } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { CopyableValue } from '../../ui/copy.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Drawer, DrawerSection } from '../../ui/drawer.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { newIdempotencyKey } from '../../ui/idempotency-key.ts';
import { indentJson } from '../../ui/indent-json.ts';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { noId, refresh } from '../../ui/queries.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { WebhookSearch } from '../stores/store-search-params.ts';
import { DeliveryStatusChip } from './webhook-status-chips.tsx';
import { deliveriesPath, deliveryQuery } from './webhooks-api.ts';
import styles from './webhooks.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const deliveriesPerPage = 25;
const states = [
  ['waiting', t.webhook_deliveries.waiting],
  ['delivered', t.webhook_deliveries.delivered],
  ['failed', t.webhook_deliveries.failed],
] as const;

type DeliveriesProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly show: (id: string) => void };

/** The deliveries of one endpoint, latest first. The list refreshes while a delivery is due soon. */
export function WebhookDeliveries({ store, endpoint, show }: DeliveriesProps) {
  const search = useSearch({ from: '/signed-in/stores/$store/webhooks/$endpoint' });
  const navigate = useNavigate({ from: '/stores/$store/webhooks/$endpoint' });
  const list = useList<'/stores/{store}/webhook-endpoints/{endpoint}/deliveries', Pick<WebhookSearch, 'state'>>({
    search,
    navigate: (to) => navigate({ ...to, resetScroll: false }),
    path: deliveriesPath(store, endpoint.id),
    fields: [{ type: 'select', name: 'state', label: t.webhook_deliveries.state, options: states }],
    rowsPerPage: deliveriesPerPage,
    refetchInterval: (deliveries) => deliveries.some(isDueSoon) && refreshMs,
  });
  return (
    <Section title={t.webhook_deliveries.deliveries} intro={t.webhook_deliveries.events_that_were_sent_with} flush>
      <ListView
        list={list}
        caption={t.webhook_deliveries.deliveries}
        columns={columnsOf(show)}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={list.isFiltered ? t.webhook_deliveries.no_matching_deliveries : t.webhook_deliveries.no_deliveries_yet}>
            {list.isFiltered ? t.webhook_deliveries.no_deliveries_of_the_last : t.webhook_deliveries.send_a_test_event_to}
          </EmptyState>
        }
      />
    </Section>
  );
}

const refreshMs = 2_000;
/**
 * The first pause between two attempts is five seconds, and a running attempt reports its next one a minute later. Deliveries that wait
 * longer are not polled.
 */
const soonMs = 75_000;

const isDueSoon = ({ state, next_try_at: next }: WebhookDelivery): boolean =>
  state === 'waiting' && (next === null || Date.parse(next) - Date.now() < soonMs);

const columnsOf = (show: (id: string) => void): ReadonlyArray<Column<WebhookDelivery>> => [
  { title: t.webhook_deliveries.event, priority: true, cell: ({ id, type }) => <OpenButton open={() => show(id)}>{type}</OpenButton> },
  { title: t.webhook_deliveries.occurred, priority: true, cell: ({ at }) => <Time at={at} /> },
  { title: t.webhook_deliveries.state, priority: true, cell: (delivery) => <DeliveryStatusChip delivery={delivery} /> },
  {
    title: t.webhook_deliveries.last_response,
    cell: ({ last_status: status, last_fault: error }) => <span className={styles.error}>{status ?? error ?? '–'}</span>,
  },
  { title: t.webhook_deliveries.attempts, kind: 'number', cell: ({ attempts }) => attempts },
];

type DeliveryDrawerProps = {
  readonly store: string;
  readonly endpoint: WebhookEndpoint;
  readonly id: string | undefined;
  readonly mayChange: boolean;
  readonly close: () => void;
};

/** One delivery: the bytes that were sent, and each attempt with its response. */
export function DeliveryDrawer({ store, endpoint, id, mayChange, close }: DeliveryDrawerProps) {
  const found = useQuery({
    ...deliveryQuery(store, endpoint.id, id ?? noId),
    enabled: id !== undefined,
    refetchInterval: (query) => (query.state.data && isDueSoon(query.state.data) ? refreshMs : false),
  });
  return (
    <Drawer title={found.data?.type ?? t.webhook_deliveries.delivery} opened={id !== undefined} onClose={close}>
      <QueryView query={found}>
        {(data) => (
          <>
            <DeliveryDetailList delivery={data} />
            {mayChange && <ResendButton store={store} endpoint={endpoint} delivery={data} />}
            <DrawerSection title={t.webhook_deliveries.attempts}>
              <Attempts made={data.attempts_made} />
            </DrawerSection>
            <DrawerSection title={t.webhook_deliveries.request_body}>
              <p className={styles.muted}>{t.webhook_deliveries.formatted_for_reading_the_signed}</p>
              <CopyableValue value={indentJson(data.body)} label={t.webhook_deliveries.body} />
            </DrawerSection>
          </>
        )}
      </QueryView>
    </Drawer>
  );
}

function DeliveryDetailList({ delivery }: { readonly delivery: WebhookDeliveryDetails }) {
  const { event_id: event, at, next_try_at: next, ended_at: ended } = delivery;
  return (
    <DescriptionList
      items={[
        [t.webhook_deliveries.state, <DeliveryStatusChip key="s" delivery={delivery} />],
        [t.webhook_deliveries.occurred, <Time key="h" at={at} />],
        ...(next === null ? [] : [[t.webhook_deliveries.next_attempt, <Time key="n" at={next} />] as const]),
        ...(ended === null ? [] : [[t.webhook_deliveries.ended, <Time key="e" at={ended} />] as const]),
        [
          'webhook-id',
          <span key="i" className="mono">
            {event}
          </span>,
        ],
      ]}
    />
  );
}

type ResendButtonProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly delivery: WebhookDeliveryDetails };

function ResendButton({ store, endpoint, delivery }: ResendButtonProps) {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: async () => {
      const path = deliveriesPath(store, endpoint.id);
      await api.post(
        apiPath('/stores/{store}/webhook-endpoints/{endpoint}/deliveries/{delivery}/resend', {
          store,
          endpoint: endpoint.id,
          delivery: delivery.id,
        }),
        {},
        newIdempotencyKey(),
      );
      await refresh(client, path);
    },
  });
  if (!endpoint.is_enabled) return <p className={styles.muted}>{t.webhook_deliveries.turn_on_the_endpoint_to}</p>;
  return (
    <div className={styles.resend}>
      <ErrorAlert error={resend.error} />
      <Button size="xs" variant="default" loading={resend.isPending} disabled={isDueSoon(delivery)} onClick={() => resend.mutate()}>
        {t.webhook_deliveries.resend}
      </Button>
      <span className={styles.muted}>{t.webhook_deliveries.the_webhook_id_stays_the}</span>
    </div>
  );
}

function Attempts({ made }: { readonly made: readonly WebhookAttempt[] }) {
  if (made.length === 0) return <p>{t.webhook_deliveries.no_attempts_yet_it_is}</p>;
  return (
    <ol className={styles.attempts}>
      {made.map(({ number, at, took_ms: took, status, fault: error, answer }) => (
        <li key={number} value={number}>
          <span className={styles.attempt}>
            <strong>{status === null ? t.webhook_deliveries.no_response : t.webhook_deliveries.http({ status })}</strong>
            <span className={styles.muted}>{rich(t.webhook_deliveries.ms({ took }), { time: <Time at={at} /> })}</span>
          </span>
          {error !== null && <span>{error}</span>}
          {answer !== null && answer !== '' && <code className={styles.answer}>{answer}</code>}
        </li>
      ))}
    </ol>
  );
}

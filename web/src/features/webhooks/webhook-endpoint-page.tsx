import { Alert } from '../../ui/alert.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { WebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { usePermission } from '../access/permissions.tsx';
import { EndpointStatusChip } from './webhook-status-chips.tsx';
import { WebhookDeliveries, DeliveryDrawer } from './webhook-deliveries.tsx';
import { EndpointActions, EnableButton } from './webhook-actions.tsx';
import { eventsText } from './webhook-events.ts';
import { endpointsQuery } from './webhooks-api.ts';
import styles from './webhooks.module.css';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

/** The endpoint may start failing or be switched off while the page is open. */
const refreshMs = 5_000;

/** One endpoint: status, actions, and deliveries. */
export function WebhookEndpointPage() {
  const { store, endpoint: id } = useParams({ from: '/signed-in/stores/$store/webhooks/$endpoint' });
  const { open } = useSearch({ from: '/signed-in/stores/$store/webhooks/$endpoint' });
  const navigate = useNavigate({ from: '/stores/$store/webhooks/$endpoint' });
  const mayChange = usePermission(store)('integration:write');
  const found = useInfiniteQuery({ ...endpointsQuery(store), refetchInterval: refreshMs });
  const endpoint = found.data?.pages.flatMap(({ data }) => data).find((one) => one.id === id);
  const show = (delivery: string | undefined) => void navigate({ search: (now) => ({ ...now, open: delivery }), resetScroll: false });
  return (
    <Page
      title={t.webhook_endpoint_page.webhook_endpoint}
      above={
        <TextLink to="/stores/$store/webhooks" params={{ store }}>
          {t.webhook_endpoint_page.webhooks}
        </TextLink>
      }
      intro={endpoint && <span className={styles.address}>{endpoint.url}</span>}
      actions={endpoint && mayChange && <EndpointActions store={store} endpoint={endpoint} />}
    >
      <QueryView query={found} />
      {found.isSuccess && endpoint === undefined && (
        <EmptyState title={t.webhook_endpoint_page.endpoint_not_found}>{t.webhook_endpoint_page.it_was_removed_or_belongs}</EmptyState>
      )}
      {endpoint && (
        <>
          <DisabledNote store={store} endpoint={endpoint} mayChange={mayChange} />
          <Section title={t.webhook_endpoint_page.details}>
            <EndpointDetails endpoint={endpoint} />
          </Section>
          <WebhookDeliveries store={store} endpoint={endpoint} show={show} />
          <DeliveryDrawer store={store} endpoint={endpoint} id={open} mayChange={mayChange} close={() => show(undefined)} />
        </>
      )}
    </Page>
  );
}

function EndpointDetails({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { description, events, created_at: created, failing_since: failing } = endpoint;
  return (
    <DescriptionList
      items={[
        [t.webhook_endpoint_page.state, <EndpointStatusChip key="s" endpoint={endpoint} />],
        ...(description === null ? [] : [[t.webhook_endpoint_page.description, description] as const]),
        [t.webhook_endpoint_page.events, eventsText(events)],
        [t.webhook_endpoint_page.added, <Time key="a" at={created} />],
        ...(failing === null ? [] : [[t.webhook_endpoint_page.failing_since, <Time key="f" at={failing} />] as const]),
      ]}
    />
  );
}

const disabledTexts: Readonly<Record<NonNullable<WebhookEndpoint['disabled_why']>, string>> = {
  by_hand: t.webhook_endpoint_page.a_team_member_paused_it,
  failing: t.webhook_endpoint_page.all_deliveries_failed_for_five,
  gone: t.webhook_endpoint_page.it_returned_410_gone_so,
};

type DisabledNoteProps = { readonly store: string; readonly endpoint: WebhookEndpoint; readonly mayChange: boolean };

function DisabledNote({ store, endpoint, mayChange }: DisabledNoteProps) {
  const { is_enabled: isEnabled, disabled_why: why } = endpoint;
  if (isEnabled) return null;
  return (
    <Alert color="yellow" role="status">
      <p className={styles.notice}>
        {rich(t.webhook_endpoint_page.no_events_are_sent_events({ disabledTexts: disabledTexts[why ?? 'by_hand'] }), {
          b: <strong />,
        })}
      </p>
      {mayChange && <EnableButton store={store} id={endpoint.id} />}
    </Alert>
  );
}

import { Alert } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icons.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useMay } from '../people/may.ts';
import { EndpointChip } from './webhook-chips.tsx';
import { Deliveries } from './webhook-deliveries.tsx';
import { DeliveryDrawer } from './webhook-delivery.tsx';
import { EndpointActions, SwitchOn } from './webhook-actions.tsx';
import { eventsInWords } from './webhook-words.ts';
import { endpointList, type WebhookEndpoint as Endpoint } from './webhooks-api.ts';
import styles from './webhooks.module.css';

/** While somebody looks at it, it may begin to fail, or be switched off. */
const lookAgainMs = 5_000;

/** One address: how it stands, what can be done with it, and everything it was told. */
export function WebhookEndpoint() {
  const { store, endpoint: id } = useParams({ from: '/inside/stores/$store/webhooks/$endpoint' });
  const { open } = useSearch({ from: '/inside/stores/$store/webhooks/$endpoint' });
  const navigate = useNavigate({ from: '/stores/$store/webhooks/$endpoint' });
  const mayChange = useMay(store)('integration:write');
  const found = useInfiniteQuery({ ...endpointList(store), refetchInterval: lookAgainMs });
  const endpoint = found.data?.pages.flatMap(({ data }) => data).find((one) => one.id === id);
  const show = (delivery: string | undefined) => void navigate({ search: (now) => ({ ...now, open: delivery }), resetScroll: false });
  return (
    <Page
      title="Webhook endpoint"
      above={
        <TextLink to="/stores/$store/webhooks" params={{ store }}>
          Webhooks
        </TextLink>
      }
      intro={endpoint && <span className={styles.address}>{endpoint.url}</span>}
      actions={endpoint && mayChange && <EndpointActions store={store} endpoint={endpoint} />}
    >
      {found.isPending && <Waiting />}
      {found.isError && <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && endpoint === undefined && (
        <Empty title="It is not there">It was removed, or belongs to another store. What is there stands under Webhooks.</Empty>
      )}
      {endpoint && (
        <>
          <Off store={store} endpoint={endpoint} mayChange={mayChange} />
          <Section title="How it stands">
            <Standing endpoint={endpoint} />
          </Section>
          <Deliveries store={store} endpoint={endpoint} show={show} />
          <DeliveryDrawer store={store} endpoint={endpoint} id={open} mayChange={mayChange} close={() => show(undefined)} />
        </>
      )}
    </Page>
  );
}

function Standing({ endpoint }: { readonly endpoint: Endpoint }) {
  const { description, events, created_at: created, failing_since: failing } = endpoint;
  return (
    <Facts
      facts={[
        ['State', <EndpointChip key="s" endpoint={endpoint} />],
        ...(description === null ? [] : [['For', description] as const]),
        ['Told of', eventsInWords(events)],
        ['Added', <Time key="a" at={created} />],
        ...(failing === null ? [] : [['Takes nothing since', <Time key="f" at={failing} />] as const]),
      ]}
    />
  );
}

const whys: Readonly<Record<NonNullable<Endpoint['disabled_why']>, string>> = {
  by_hand: 'Somebody of the store paused it.',
  failing: 'It took nothing for five days, so it was switched off. Look below at what it answered, and mend that first.',
  gone: 'It answered 410, which means that nobody is there any more, so it was switched off.',
};

type OffProps = { readonly store: string; readonly endpoint: Endpoint; readonly mayChange: boolean };

function Off({ store, endpoint, mayChange }: OffProps) {
  const { is_enabled: isEnabled, disabled_why: why } = endpoint;
  if (isEnabled) return null;
  return (
    <Alert color="yellow" variant="outline" icon={<Icon name="alert" />} mb="md" role="status">
      <p className={styles.said}>
        <strong>Nothing is sent here.</strong> {whys[why ?? 'by_hand']} What happens meanwhile is not sent afterwards; a single delivery of
        before can be sent again once it is on.
      </p>
      {mayChange && <SwitchOn store={store} id={endpoint.id} />}
    </Alert>
  );
}

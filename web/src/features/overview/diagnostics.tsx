import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Store, StoreOverview, WebhookEndpoint } from '../../../../sdk/src/api-schema.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { integrationQuery } from '../integration/integration-api.ts';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { endpointsQuery } from '../webhooks/webhooks-api.ts';
import styles from './diagnostics.module.css';
import { t } from './messages.ts';

/** The advice texts are long and most stores have no failed postbacks, so they load only when needed. */
const FailedReasons = lazy(async () => ({ default: (await import('../tracking/failed-postback-reasons.tsx')).FailedPostbackReasons }));

type DiagnosticsProps = { readonly currentStore: Store; readonly tracking: StoreOverview['tracking'] };

/** Whether tracking, the integration, and webhooks work: one line while they do, and everything while they do not. */
export function Diagnostics({ currentStore, tracking }: DiagnosticsProps) {
  const webhooks = useInfiniteQuery(endpointsQuery(currentStore.id)).data?.pages.flatMap(({ data }) => data) ?? [];
  const failing = webhooks.filter(isFailing);
  const isHealthy =
    currentStore.integration === 'enabled' &&
    tracking.status === 'active' &&
    tracking.tracking_on &&
    tracking.refused.every(({ reason }) => expectedReasons.has(reason)) &&
    failing.length === 0;
  const details = <Details currentStore={currentStore} tracking={tracking} webhooks={webhooks} failing={failing} />;
  const failed = <FailedPostbacks store={currentStore.id} refused={tracking.refused} />;
  if (isHealthy)
    return (
      <Folded lastRequest={tracking.last_postback_at}>
        {details}
        {failed}
      </Folded>
    );
  return (
    <>
      <Section title={t.diagnostics.diagnostics} actions={<IntegrationLink store={currentStore.id} />}>
        {details}
      </Section>
      {failed}
    </>
  );
}

/** Reasons that occur in a working integration: some customers order too late. */
const expectedReasons = new Set(['attribution_window_expired']);

/** A person who disabled an endpoint knows it; the service disables one that failed for long. */
const isFailing = ({ failing_since: failingSince, is_enabled: isEnabled, disabled_why: why }: WebhookEndpoint): boolean =>
  isEnabled ? failingSince !== null : why !== 'by_hand';

const Folded = ({ lastRequest, children }: { readonly lastRequest: string | null; readonly children: ReactNode }) => (
  <section className={styles.folded} aria-label={t.diagnostics.diagnostics}>
    <details>
      <summary>
        <span className={styles.line}>
          <Icon name="check" size={16} />
          <strong>{t.diagnostics.everything_works}</strong>
          {lastRequest !== null && (
            <span className={styles.last}>
              {t.diagnostics.last_request_2} <Time at={lastRequest} />
            </span>
          )}
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  </section>
);

type DetailsProps = DiagnosticsProps & { readonly webhooks: readonly WebhookEndpoint[]; readonly failing: readonly WebhookEndpoint[] };

const Details = ({ currentStore, tracking, webhooks, failing }: DetailsProps) => (
  <DescriptionList
    items={[
      [t.diagnostics.store, <StoreStatusChip key="s" status={tracking.status} />],
      [t.diagnostics.integration, <IntegrationStatusChip key="i" integration={currentStore.integration} />],
      [t.diagnostics.integration_checks, <PassedChecks key="c" store={currentStore.id} />],
      [t.diagnostics.tracking, <TrackingStatusChip key="t" isOn={tracking.tracking_on} />],
      [
        t.diagnostics.last_request,
        tracking.last_postback_at === null ? t.diagnostics.none_yet : <Time key="l" at={tracking.last_postback_at} />,
      ],
      ...(tracking.refused.length === 0 ? [[t.diagnostics.failed_postbacks, t.diagnostics.none_in_the_last] as const] : []),
      [t.diagnostics.webhooks, <WebhookHealth key="w" store={currentStore.id} count={webhooks.length} failing={failing} />],
    ]}
  />
);

function PassedChecks({ store }: { readonly store: string }) {
  const integration = useQuery(integrationQuery(store));
  const checks = integration.data?.lights ?? [];
  const passed = checks.filter(({ is_on: isOn }) => isOn).length;
  return (
    <TextLink to="/stores/$store/integration" params={{ store }}>
      {integration.isSuccess ? t.diagnostics.passed({ passed, checks: checks.length }) : t.diagnostics.open_integration}
    </TextLink>
  );
}

type WebhookHealthProps = { readonly store: string; readonly count: number; readonly failing: readonly WebhookEndpoint[] };

const WebhookHealth = ({ store, count, failing }: WebhookHealthProps) => (
  <TextLink to="/stores/$store/webhooks" params={{ store }}>
    {failing.length > 0
      ? t.diagnostics.failing_endpoints({ failing: failing.length })
      : count > 0
        ? t.diagnostics.working_endpoints({ count })
        : t.diagnostics.no_endpoints}
  </TextLink>
);

const IntegrationLink = ({ store }: { readonly store: string }) => (
  <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={{ store }}>
    {t.diagnostics.integration}
  </ButtonLink>
);

/** Failed postbacks by reason, with advice for each; hidden when there are none. */
function FailedPostbacks({ store, refused }: { readonly store: string; readonly refused: StoreOverview['tracking']['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <Section title={t.diagnostics.failed_in_the_last}>
      <Suspense fallback={<LoadingSkeleton />}>
        <FailedReasons store={store} refused={refused} />
      </Suspense>
    </Section>
  );
}

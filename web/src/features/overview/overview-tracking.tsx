import { lazy, Suspense } from 'react';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Section } from '../../ui/page.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Overview } from './overview-api.ts';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import type { Store } from '../stores/stores-api.ts';

/** The advice texts are long and most stores have no failed postbacks, so they load only when needed. */
const RefusedReasons = lazy(async () => ({ default: (await import('../tracking/failed-postback-reasons.tsx')).FailedPostbackReasons }));

type OverviewTrackingProps = { readonly currentStore: Store; readonly tracking: Overview['tracking'] };

/** Whether tracking and the integration work. */
export function OverviewTracking({ currentStore, tracking }: OverviewTrackingProps) {
  const params = { store: currentStore.id };
  return (
    <Section
      title="Tracking"
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={params}>
          Integration
        </ButtonLink>
      }
    >
      <DescriptionList
        facts={[
          ['Store', <StoreStatusChip key="s" status={tracking.status} />],
          ['Integration', <IntegrationStatusChip key="i" integration={currentStore.integration} />],
          ['Tracking', <TrackingStatusChip key="t" isOn={tracking.tracking_on} />],
          ['Last request', tracking.last_postback_at === null ? 'none yet' : <Time key="l" at={tracking.last_postback_at} />],
          ...(tracking.refused.length === 0 ? [['Refused', 'nothing in the last seven days'] as const] : []),
        ]}
      />
    </Section>
  );
}

/** Failed postbacks by reason, with advice for each; hidden when there are none. */
export function FailedPostbacks({ store, refused }: { readonly store: string; readonly refused: Overview['tracking']['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <Section title="Refused in the last seven days">
      <Suspense fallback={<LoadingSkeleton />}>
        <RefusedReasons store={store} refused={refused} />
      </Suspense>
    </Section>
  );
}

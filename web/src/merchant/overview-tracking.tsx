import { lazy, Suspense } from 'react';
import { Facts } from '../parts/facts.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Section } from '../parts/page.tsx';
import { Waiting } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { Overview } from './overview-api.ts';
import { IntegrationChip, StoreChip, TrackingChip } from './store-chips.tsx';
import type { Store } from './stores-api.ts';

/** Advice for every reason is long, and most stores have none refused: it is fetched where there is one. */
const RefusedReasons = lazy(async () => ({ default: (await import('./refused-reasons.tsx')).RefusedReasons }));

type OverviewTrackingProps = { readonly shop: Store; readonly tracking: Overview['tracking'] };

/** Whether clicks and orders find each other. */
export function OverviewTracking({ shop, tracking }: OverviewTrackingProps) {
  const params = { store: shop.id };
  return (
    <Section
      title="Tracking"
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={params}>
          Integration
        </ButtonLink>
      }
    >
      <Facts
        facts={[
          ['Store', <StoreChip key="s" status={tracking.status} />],
          ['Integration', <IntegrationChip key="i" integration={shop.integration} />],
          ['Tracking', <TrackingChip key="t" isOn={tracking.tracking_on} />],
          ['Last request', tracking.last_postback_at === null ? 'none yet' : <Time key="l" at={tracking.last_postback_at} />],
          ...(tracking.refused.length === 0 ? [['Refused', 'nothing in the last seven days'] as const] : []),
        ]}
      />
    </Section>
  );
}

/** What the shop's server was refused for: a part of its own, because each reason has its advice; where there is none, no part. */
export function OverviewRefused({ store, refused }: { readonly store: string; readonly refused: Overview['tracking']['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <Section title="Refused in the last seven days">
      <Suspense fallback={<Waiting />}>
        <RefusedReasons store={store} refused={refused} />
      </Suspense>
    </Section>
  );
}
